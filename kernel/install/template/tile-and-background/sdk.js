// src/port/fault.ts
var e = class extends Error {
	name = "NeutronError";
	code;
	retryAfterMs;
	constructor(e, t, n) {
		super(t), this.code = e, this.retryAfterMs = n;
	}
}, t = 1e3, n = /^[A-Z][A-Z0-9_]{1,63}$/;
function r(e) {
	return typeof e == "string" && n.test(e);
}
function i(e, t) {
	return (e.length > t ? e.slice(0, t) : e).replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "�");
}
function a(n, a) {
	let o = a, s = "", c;
	try {
		if (n instanceof e) {
			r(n.code) && (o = n.code);
			let e = n.retryAfterMs;
			typeof e == "number" && Number.isFinite(e) && e >= 0 && (c = Math.ceil(e));
		}
		s = i(n instanceof Error ? String(n.message) : typeof n == "string" ? n : "", t);
	} catch {}
	return {
		name: "NeutronError",
		message: s,
		code: o,
		...c === void 0 ? {} : { retryAfterMs: c }
	};
}
function o(t) {
	return new e(t.code, t.message || t.code, t.retryAfterMs);
}
// src/port/primitives.ts
var s = JSON.stringify, c = JSON.parse, l = Object.keys, u = Reflect.ownKeys, d = Object.getPrototypeOf, f = Object.getOwnPropertyDescriptor, p = Array.isArray, m = Number.isSafeInteger, h = Object.prototype, ee = Array.prototype, g = String.prototype.isWellFormed, te = /\p{Surrogate}/u, _ = Function.prototype.call, v = _.bind(_), ne = g === void 0 ? (e) => !te.test(e) : _.bind(g), re = globalThis.setTimeout, ie = globalThis.clearTimeout;
crypto.getRandomValues.bind(crypto);
var ae = typeof globalThis.reportError == "function" ? globalThis.reportError.bind(globalThis) : void 0;
function y(e, t) {
	let n = re(t, e);
	return () => ie(n);
}
function b(e) {
	ae?.(e);
}
var x = MessagePort.prototype, oe = x.postMessage, se = x.start, ce = x.close, le = x.addEventListener, ue = x.removeEventListener;
function de(e, t) {
	v(oe, e, t);
}
function fe(e, t) {
	let n = (e) => t(() => e.data);
	return v(le, e, "message", n), v(se, e), () => {
		v(ue, e, "message", n), v(ce, e);
	};
}
// src/port/json.ts
var S = 1 << 20, pe = 65536, me = 2e5, he = 2e4, ge = 1e-308, C = (t) => {
	throw new e("INVALID_REQUEST", t);
};
function w(e, t, n = !1) {
	return D(e, {
		nodes: 0,
		bytes: 0,
		heard: n,
		trail: []
	}), _e(s(e), t);
}
function T(e, t, n = !1) {
	let r = {
		nodes: 0,
		bytes: 0,
		heard: n,
		trail: []
	};
	D(e, r), r.bytes > t && _e(s(e), t);
}
function _e(t, n) {
	if (t.length > n || t.length * 3 > n && ve(t) > n) throw new e("LIMIT", `larger than ${n} bytes`);
	return t;
}
function ve(e) {
	let t = e.length;
	for (let n = 0; n < e.length; n++) {
		let r = e.charCodeAt(n);
		r < 128 || (t += r < 2048 || r >= 55296 && r <= 57343 ? 1 : 2);
	}
	return t;
}
var E = 26;
function D(e, t) {
	switch (++t.nodes > 2e5 && C(`more than ${me} values`), typeof e) {
		case "boolean":
			t.bytes += E;
			return;
		case "string": return O(e, t);
		case "number":
			e - e !== 0 && C("a number is not finite"), e !== 0 && e < ge && e > -1e-308 && C("a number is too small to write"), t.bytes += E;
			return;
		case "object":
			t.bytes += E, e !== null && ye(e, t);
			return;
		default: C(`${typeof e} is not JSON`);
	}
}
function O(e, t) {
	ne(e) || C("a string holds half a surrogate pair"), t.bytes += 6 * e.length + 4;
}
function ye(e, t) {
	t.trail.length >= 64 && C(t.trail.includes(e) ? "an object holds itself" : "nested deeper than 64 levels"), t.trail.push(e), p(e) ? be(e, t) : xe(e, t), t.trail.pop();
}
function be(e, t) {
	if (d(e) !== ee && C("an array is an instance of a class"), t.heard) {
		l(e).length !== e.length && C("an array has holes or members with names");
		for (let n = 0; n < e.length; n++) D(e[n], t);
		return;
	}
	let n = u(e);
	(n.length !== e.length + 1 || n[e.length] !== "length") && C("an array has holes or members with names");
	for (let r = 0; r < e.length; r++) {
		let i = f(e, n[r]);
		i !== void 0 && "value" in i || C("an array has a computed member"), D(i?.value, t);
	}
}
function xe(e, t) {
	let n = d(e);
	n !== h && n !== null && C("an object is an instance of a class");
	let r = t.heard ? l(e) : u(e);
	r.length > 2e4 && C(`an object has more than ${he} members`);
	for (let n of r) {
		if (typeof n != "string") return C("an object has a member named by a symbol");
		if (n === "__proto__" && C("a member is named \"__proto__\""), O(n, t), t.heard) {
			D(e[n], t);
			continue;
		}
		let r = f(e, n);
		if (r === void 0 || !r.enumerable || !("value" in r)) return C("an object has a hidden or computed member");
		D(r.value, t);
	}
}
function k(e) {
	return typeof e == "object" && !!e && !p(e);
}
function A(e, t, n = []) {
	let r = l(e);
	for (let e of r) if (!t.includes(e) && !n.includes(e)) return !1;
	for (let e of t) if (!r.includes(e)) return !1;
	return !0;
}
// src/port/context.ts
function Se(e) {
	if (!k(e) || !A(e, ["theme"])) return null;
	let { theme: t } = e;
	return t === "light" || t === "dark" ? { theme: t } : null;
}
// src/port/handshake.ts
var Ce = "neutron:msgbus:ready", we = /^[A-Za-z0-9_-]{16,128}$/;
function Te(e) {
	return k(e) && A(e, ["type", "version"]) && e.type === "neutron:msgbus:probe" && e.version === 1;
}
function Ee(e) {
	return !k(e) || !A(e, [
		"type",
		"version",
		"sessionId"
	]) || e.type !== "neutron:msgbus:connect" || e.version !== 1 ? null : typeof e.sessionId == "string" && we.test(e.sessionId) ? e.sessionId : null;
}
function De(e, t) {
	let n = e.parent;
	if (n === e) return () => {};
	let r = !1, i = () => n.postMessage({
		type: Ce,
		version: 1
	}, "*"), a = (e) => {
		if (e.source !== n) return;
		if (Te(e.data)) {
			r || i();
			return;
		}
		let a = Ee(e.data), o = e.ports;
		if (a === null || o.length !== 1) for (let e of o) e.close();
		else r = !0, t(o[0], a);
	};
	return e.addEventListener("message", a), queueMicrotask(i), () => e.removeEventListener("message", a);
}
// src/port/envelope.ts
var Oe = 2 ** 53 - 1, j = { type: "malformed" }, ke = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, Ae = /^[A-Za-z0-9_-]{16,128}$/;
function M(e) {
	return m(e) && e >= 1;
}
function je(e) {
	if (!k(e) || !M(e.id)) return j;
	switch (e.type) {
		case "exec": return A(e, [
			"type",
			"id",
			"payload"
		]) && Me(e.payload) ? e : {
			type: "malformed",
			answer: e.id
		};
		case "response": return A(e, [
			"type",
			"id",
			"ok"
		]) || A(e, [
			"type",
			"id",
			"error"
		]) && Pe(e.error) ? e : j;
		case "progress": return A(e, [
			"type",
			"id",
			"value"
		]) ? e : j;
		case "cancel": return A(e, ["type", "id"]) ? e : j;
		default: return j;
	}
}
function Me(e) {
	return k(e) && A(e, ["action", "payload"], ["context"]) && typeof e.action == "string" && e.action.length <= 64 && ke.test(e.action) && (!("context" in e) || Ne(e.context));
}
function Ne(e) {
	if (!k(e) || !A(e, [], ["invocation"])) return !1;
	if (!("invocation" in e)) return !0;
	let t = e.invocation;
	return k(t) && A(t, [
		"id",
		"rootId",
		"capability"
	]) && [
		t.id,
		t.rootId,
		t.capability
	].every((e) => typeof e == "string" && Ae.test(e));
}
function Pe(e) {
	return k(e) && A(e, [
		"name",
		"message",
		"code"
	], ["retryAfterMs"]) && typeof e.name == "string" && e.name.length <= 64 && typeof e.message == "string" && e.message.length <= 1e3 && r(e.code) && (!("retryAfterMs" in e) || m(e.retryAfterMs) && e.retryAfterMs >= 0);
}
var Fe = class {
	#e;
	#t;
	#n;
	#r = /* @__PURE__ */ new Map();
	#i = /* @__PURE__ */ new Map();
	#a = 0;
	#o = !1;
	constructor(e, t) {
		this.#t = e, this.#e = t, this.#n = fe(e, (e) => this.#l(e));
	}
	get closed() {
		return this.#o;
	}
	close(e = {
		name: "NeutronError",
		message: "the connection is closed",
		code: "ENDPOINT_GONE"
	}) {
		if (this.#o) return;
		this.#o = !0, this.#n();
		let t = [...this.#r.values()], n = [...this.#i.values()];
		this.#r.clear(), this.#i.clear();
		for (let t of n) t.abort(o(e));
		for (let n of t) N(() => n.sink.error(e));
	}
	open(t, n, r, i, a = this.#s()) {
		if (this.#o) throw new e("ENDPOINT_GONE", "the connection is closed");
		if (!M(a) || this.#r.has(a)) throw new e("INVALID_REQUEST", "the id is in use or no id");
		this.#r.set(a, {
			sink: r,
			progress: 0
		});
		try {
			this.#c({
				type: "exec",
				id: a,
				payload: {
					action: t,
					payload: n,
					...i === void 0 ? {} : { context: i }
				}
			});
		} catch (e) {
			throw this.#r.delete(a), e;
		}
		return {
			id: a,
			cancel: (e) => {
				this.#r.get(a)?.sink !== r || this.#o || (this.#c({
					type: "cancel",
					id: a
				}), e !== void 0 && (this.#r.delete(a), N(() => r.error(e))));
			}
		};
	}
	call(t, n, r) {
		return new Promise((i, a) => {
			let { signal: s, onProgress: c } = r;
			if (s?.aborted) throw new e("CANCELLED", "the call was cancelled before it began");
			T(n, S);
			let l = (e, t) => m.cancel({
				name: "NeutronError",
				code: e,
				message: t
			}), u = () => l("CANCELLED", "the call was cancelled"), d = y(r.timeoutMs, () => l("TIMEOUT", `no answer in ${r.timeoutMs} ms`)), f = () => {
				d(), s?.removeEventListener("abort", u);
			}, p = {
				ok: (e) => {
					f(), i(e);
				},
				error: (e) => {
					f(), a(o(e));
				},
				...c === void 0 ? {} : { progress: (e) => c(e) }
			}, m;
			try {
				m = this.open(t, n, p, r.context, r.id);
			} catch (e) {
				throw d(), e;
			}
			s?.addEventListener("abort", u, { once: !0 });
		});
	}
	#s() {
		do
			this.#a = this.#a >= Oe ? 1 : this.#a + 1;
		while (this.#r.has(this.#a));
		return this.#a;
	}
	#c(e) {
		de(this.#t, e);
	}
	#l(t) {
		if (this.#e.admit?.() === !1) return;
		let n = je(t());
		switch (n.type) {
			case "malformed":
				this.#d("INVALID_REQUEST"), n.answer !== void 0 && !this.#i.has(n.answer) && this.#f(n.answer, new e("INVALID_REQUEST", "the envelope is not of the form of an exec"));
				return;
			case "exec": return this.#p(n);
			case "response": return this.#m(n.id, n);
			case "progress": return this.#h(n.id, n.value);
			case "cancel": {
				let t = this.#i.get(n.id);
				return t === void 0 ? this.#d("LATE") : t.abort(new e("CANCELLED", "the caller cancelled"));
			}
		}
	}
	#u(e, t) {
		return this.#e.vouched ? w(e, t, !0) : (T(e, t, !0), "");
	}
	#d(e) {
		this.#e.refused?.(e);
	}
	#f(e, t) {
		this.#c({
			type: "response",
			id: e,
			error: a(t, "HANDLER_FAILED")
		});
	}
	#p(t) {
		let { id: n } = t;
		if (this.#i.has(n)) return this.#d("INVALID_REQUEST");
		let { action: r, payload: i, context: a } = t.payload, o;
		try {
			o = this.#u(i, S);
		} catch (t) {
			return this.#d(t instanceof e && t.code === "LIMIT" ? "LIMIT" : "INVALID_REQUEST"), this.#f(n, t);
		}
		let s = new AbortController();
		this.#i.set(n, s);
		let c = () => this.#i.get(n) === s && this.#i.delete(n), l = 0, u = {
			id: n,
			action: r,
			payload: i,
			text: o,
			context: a,
			signal: s.signal,
			respond: (t) => {
				if (c()) {
					try {
						this.#e.vouched || T(t, S);
					} catch (t) {
						let r = t instanceof e && t.code === "LIMIT" ? "LIMIT" : "OUTPUT_INVALID";
						return this.#f(n, new e(r, `the result cannot travel: ${t.message}`));
					}
					this.#c({
						type: "response",
						id: n,
						ok: t
					});
				}
			},
			fail: (e) => {
				c() && this.#f(n, e);
			},
			progress: (e) => {
				if (!(this.#i.get(n) !== s || l >= 2e3)) {
					try {
						this.#e.vouched || T(e, pe);
					} catch {
						return;
					}
					l++, this.#c({
						type: "progress",
						id: n,
						value: e
					});
				}
			}
		};
		try {
			this.#e.exec(u);
		} catch (e) {
			u.fail(e);
		}
	}
	#m(t, n) {
		let r = this.#r.get(t);
		if (r === void 0) return this.#d("LATE");
		if (this.#r.delete(t), "error" in n) return N(() => r.sink.error(n.error));
		let i;
		try {
			i = this.#u(n.ok, S);
		} catch (t) {
			let n = t instanceof e && t.code === "LIMIT";
			this.#d(n ? "LIMIT" : "INVALID_REQUEST");
			let i = n ? "LIMIT" : "OUTPUT_INVALID";
			return N(() => r.sink.error({
				name: "NeutronError",
				code: i,
				message: t.message
			}));
		}
		N(() => r.sink.ok(n.ok, i));
	}
	#h(e, t) {
		let n = this.#r.get(e);
		if (n === void 0) return this.#d("LATE");
		if (++n.progress > 2e3) return this.#d("LIMIT");
		let r;
		try {
			r = this.#u(t, pe);
		} catch {
			return this.#d("LIMIT");
		}
		N(() => n.sink.progress?.(t, r));
	}
};
function N(e) {
	try {
		e();
	} catch (e) {
		b(e);
	}
}
// sdk/src/connection.ts
var Ie = 2e3, Le = class {
	#e = null;
	#t = /* @__PURE__ */ new Set();
	#n;
	#r;
	#i;
	constructor(e, t, n) {
		this.#n = t, this.#r = n, this.#i = e === void 0 ? () => {} : De(e, (e) => this.#a(e));
	}
	get peer() {
		return this.#e;
	}
	connected(t) {
		return this.#e === null ? new Promise((n, r) => {
			let i = () => {
				s(), this.#t.delete(a), t?.removeEventListener("abort", o);
			}, a = (e) => {
				i(), n(e);
			}, o = () => {
				i(), r(new e("CANCELLED", "the call was cancelled before it began"));
			}, s = y(Ie, () => {
				i(), r(new e("TIMEOUT", "Neutron gave this page no port: is it open in a tile?"));
			});
			this.#t.add(a), t?.aborted ? o() : t?.addEventListener("abort", o);
		}) : Promise.resolve(this.#e);
	}
	dispose() {
		this.#i(), this.#e?.close(), this.#e = null;
	}
	#a(e) {
		this.#e?.close({
			name: "NeutronError",
			code: "ENDPOINT_GONE",
			message: "the connection was replaced"
		});
		let t = new Fe(e, { exec: (e) => this.#n(e) });
		this.#e = t, this.#r(t);
		for (let e of [...this.#t]) e(t);
	}
}, P = Object.hasOwn, Re = [
	"null",
	"boolean",
	"number",
	"integer",
	"string",
	"array",
	"object"
];
function ze(e, t) {
	return new Be(t, F(e)).at(e, "");
}
function F(e) {
	return p(e) ? e.some(F) : k(e) ? P(e, "unevaluatedProperties") || P(e, "unevaluatedItems") || l(e).some((t) => F(e[t])) : !1;
}
var I = (e) => ({
	at: "",
	why: e
}), L = (e, t) => ({
	at: `/${typeof e == "number" ? e : e.replaceAll("~", "~0").replaceAll("/", "~1")}${t.at}`,
	why: t.why
}), Be = class {
	dialect;
	tracks;
	#e = /* @__PURE__ */ new Map();
	constructor(e, t) {
		this.dialect = e, this.tracks = t;
	}
	at(e, t) {
		let n = this.#t(e, t);
		return this.#e.set(t, n), n;
	}
	#t(e, t) {
		if (e === !0) return () => null;
		if (e === !1) return () => I("nothing is allowed here");
		let n = [], r = (e) => {
			e !== null && n.push(e);
		}, i = (n) => P(e, n) ? this.at(e[n], `${t}/${n}`) : null, a = (n) => (e[n] ?? []).map((e, r) => this.at(e, `${t}/${n}/${r}`)), o = (n) => l(e[n] ?? {}).map((r) => {
			let i = e[n][r];
			return p(i) ? [r, z(i, n)] : [r, this.at(i, `${t}/${n}/${r.replaceAll("~", "~0").replaceAll("/", "~1")}`)];
		}), s = (e) => o(e);
		s("$defs"), s("definitions");
		let c = e.$ref === void 0 ? null : this.#n(e.$ref);
		r(Ue(e.type)), P(e, "const") && r(H([e.const])), P(e, "enum") && r(H(e.enum)), r(c);
		for (let e of a("allOf")) r(e);
		r(We(a("anyOf"))), r(Ge(a("oneOf"))), r(Ke(i("not"))), r(qe(i("if"), i("then"), i("else"))), r(Je(e)), r(Xe(e)), r(Qe([
			...o("dependencies"),
			...s("dependentSchemas"),
			...o("dependentRequired")
		])), r($e(e, s("properties"), s("patternProperties"), i("additionalProperties"), i("propertyNames")));
		let u = p(e.items), d = this.dialect === "2020-12", [f, m, h] = [
			a("prefixItems"),
			u ? a("items") : i("items"),
			i("additionalItems")
		];
		p(m) ? r(et(e, m, h)) : r(et(e, d ? f : [], m)), r(tt(e, i("contains"), d));
		let ee = Ve(n, this.tracks, i("unevaluatedProperties"), i("unevaluatedItems"));
		return c !== null && this.dialect === "7" ? c : ee;
	}
	#n(e) {
		let t = decodeURIComponent(e.slice(1)), n;
		return (e, r) => (n ??= this.#e.get(t))(e, r);
	}
};
function Ve(e, t, n, r) {
	let [i, a] = e;
	return t ? (t, i) => {
		if (typeof t != "object" || !t) return R(e, t, null);
		let a = /* @__PURE__ */ new Set(), o = R(e, t, a) ?? He(t, a, n, r);
		if (o === null && i !== null) for (let e of a) i.add(e);
		return o;
	} : i === void 0 ? () => null : a === void 0 ? i : e.length === 2 ? (e) => i(e, null) ?? a(e, null) : (t) => {
		for (let n of e) {
			let e = n(t, null);
			if (e !== null) return e;
		}
		return null;
	};
}
function R(e, t, n) {
	for (let r of e) {
		let e = r(t, n);
		if (e !== null) return e;
	}
	return null;
}
function He(e, t, n, r) {
	let i = p(e) ? r : n;
	if (i === null) return null;
	let a = p(e) ? e.map((e, t) => t) : l(e);
	for (let n of a) {
		if (t.has(n)) continue;
		let r = i(e[n], null);
		if (r !== null) return L(n, r);
		t.add(n);
	}
	return null;
}
function z(e, t) {
	if (p(e) && e.every((e) => typeof e == "string")) return e;
	throw Error(`${t} is no list of texts`);
}
function B(e, t) {
	let n = e[t];
	if (n === void 0 || typeof n == "number") return n;
	throw Error(`${t} is no number`);
}
function Ue(e) {
	if (e === void 0) return null;
	let t = p(e) ? e : [e];
	if (t.length === 0 || !t.every((e) => Re.includes(e))) throw Error("type names no type");
	let n = `not of type ${t.join(" or ")}`, [r] = t;
	if (t.length === 1 && (r === "string" || r === "boolean" || r === "number")) return (e) => typeof e === r ? null : I(n);
	let i = (e) => {
		switch (typeof e) {
			case "number": return t.includes("number") || e % 1 == 0 && t.includes("integer");
			case "object": return t.includes(e === null ? "null" : p(e) ? "array" : "object");
			default: return t.includes(typeof e);
		}
	};
	return (e) => i(e) ? null : I(n);
}
function V(e) {
	return p(e) ? `[${e.map(V).join(",")}]` : k(e) ? `{${l(e).sort().map((t) => `${s(t)}:${V(e[t])}`).join(",")}}` : s(e);
}
function H(e) {
	if (!p(e)) throw Error("enum is no list");
	let t = new Set(e.filter((e) => typeof e != "object" || !e)), n = new Set(e.filter((e) => typeof e == "object" && !!e).map(V)), r = "not one of the allowed values";
	return (e) => typeof e != "object" || !e ? t.has(e) ? null : I(r) : n.size > 0 && n.has(V(e)) ? null : I(r);
}
function We(e) {
	return e.length === 0 ? null : (t, n) => {
		let r = null, i = !1;
		for (let a of e) {
			let e = a(t, n);
			if (i ||= e === null, i && n === null) return null;
			r ??= e;
		}
		return i ? null : r;
	};
}
function Ge(e) {
	return e.length === 0 ? null : (t, n) => {
		let r = null, i = 0;
		for (let a of e) {
			let e = a(t, n);
			if (e === null ? i++ : r ??= e, i > 1) return I("matches more than one of the alternatives");
		}
		return i === 1 ? null : r;
	};
}
function Ke(e) {
	return e && ((t) => e(t, null) === null ? I("matches what it must not match") : null);
}
function qe(e, t, n) {
	return e && ((r, i) => e(r, i) === null ? t?.(r, i) ?? null : n?.(r, i) ?? null);
}
function Je(e) {
	let [t, n] = [B(e, "minimum"), B(e, "maximum")], [r, i, a] = [
		B(e, "exclusiveMinimum"),
		B(e, "exclusiveMaximum"),
		B(e, "multipleOf")
	];
	if (a !== void 0 && a <= 0) throw Error("multipleOf is not above zero");
	return [
		t,
		n,
		r,
		i,
		a
	].every((e) => e === void 0) ? null : (e) => typeof e == "number" ? t !== void 0 && e < t ? I(`less than ${t}`) : n !== void 0 && e > n ? I(`greater than ${n}`) : r !== void 0 && e <= r ? I(`not greater than ${r}`) : i !== void 0 && e >= i ? I(`not less than ${i}`) : a === void 0 || Ye(e, a) ? null : I(`no multiple of ${a}`) : null;
}
function Ye(e, t) {
	let [n, r] = U(e), [i, a] = U(t), o = BigInt(Math.abs(r - a));
	return r >= a ? n * 10n ** o % i == 0n : n % (i * 10n ** o) == 0n;
}
function U(e) {
	let [t = "", n = "0"] = String(Math.abs(e)).split("e"), [r = "", i = ""] = t.split(".");
	return [BigInt(r + i), Number(n) - i.length];
}
function Xe(e) {
	let [t, n] = [B(e, "minLength"), B(e, "maxLength")], r = e.pattern === void 0 ? null : new RegExp(e.pattern, "u");
	return t === void 0 && n === void 0 && r === null ? null : (e) => typeof e == "string" ? n !== void 0 && e.length > n && Ze(e) > n ? I(`longer than ${n} characters`) : t !== void 0 && (e.length < t || e.length < 2 * t && Ze(e) < t) ? I(`shorter than ${t} characters`) : r === null || r.test(e) ? null : I("does not match its pattern") : null;
}
function Ze(e) {
	let t = e.length;
	for (let n = 0; n < e.length; n++) (e.charCodeAt(n) & 64512) == 56320 && t--;
	return t;
}
function Qe(e) {
	return e.length === 0 ? null : (t, n) => {
		if (!k(t)) return null;
		for (let [r, i] of e) if (P(t, r)) {
			if (typeof i == "function") {
				let e = i(t, n);
				if (e !== null) return e;
			} else for (let e of i) if (!P(t, e)) return I(`has ${r} without ${e}`);
		}
		return null;
	};
}
function $e(e, t, n, r, i) {
	let a = e.required === void 0 ? [] : z(e.required, "required"), [o = 0, s = Infinity] = [B(e, "minProperties"), B(e, "maxProperties")], c = new Map(t), u = n.map(([e, t]) => [new RegExp(e, "u"), t]), d = c.size > 0 || u.length > 0 || r !== null || i !== null;
	if (!d && a.length === 0 && o === 0 && s === Infinity) return null;
	let f = (e, t, n) => {
		let i = c.get(e), a = i !== void 0, o = i === void 0 ? null : i(t, null);
		for (let [n, r] of u) n.test(e) && (a = !0, o ??= r(t, null));
		return !a && r !== null && (o = r(t, null)), (a || r !== null) && n?.add(e), o;
	};
	return (e, t) => {
		if (!k(e)) return null;
		for (let t of a) if (!P(e, t)) return I(`has no ${t}`);
		let n = l(e);
		if (n.length < o) return I(`has fewer than ${o} members`);
		if (n.length > s) return I(`has more than ${s} members`);
		if (!d) return null;
		for (let r of n) {
			let n = i?.(r, null) ?? f(r, e[r], t);
			if (n !== null) return L(r, n);
		}
		return null;
	};
}
function et(e, t, n) {
	let [r = 0, i = Infinity] = [B(e, "minItems"), B(e, "maxItems")], a = e.uniqueItems === !0;
	return t.length === 0 && n === null && !a && r === 0 && i === Infinity ? null : (e, o) => {
		if (!p(e)) return null;
		if (e.length < r) return I(`has fewer than ${r} items`);
		if (e.length > i) return I(`has more than ${i} items`);
		let s = n === null ? Math.min(t.length, e.length) : e.length;
		for (let r = 0; r < s; r++) {
			let i = (t[r] ?? n)(e[r], null);
			if (i !== null) return L(r, i);
			o?.add(r);
		}
		return a && new Set(e.map(V)).size < e.length ? I("has equal items") : null;
	};
}
function tt(e, t, n) {
	let [r = 1, i = Infinity] = [B(e, "minContains"), B(e, "maxContains")];
	return t === null ? null : (e, a) => {
		if (!p(e)) return null;
		let o = 0;
		return e.forEach((e, r) => {
			t(e, null) === null && (o++, n && a?.add(r));
		}), o < r ? I(`has fewer than ${r} items that it must contain`) : o > i ? I(`has more than ${i} items of a kind`) : null;
	};
}
// sdk/src/schema.ts
var nt = 32768, rt = 2e3, it = 20, W = 256, G = 4096, at = 256, ot = new Map([
	...K("note", "$schema $id $comment title description default examples readOnly writeOnly deprecated format contentEncoding contentMediaType"),
	...K("plain", "$ref type enum const required dependentRequired multipleOf minimum exclusiveMinimum maximum exclusiveMaximum"),
	...K("plain", "minLength maxLength pattern minItems maxItems uniqueItems minContains maxContains minProperties maxProperties"),
	...K("one", "additionalProperties additionalItems unevaluatedProperties unevaluatedItems contains propertyNames not if then else"),
	...K("list", "prefixItems allOf anyOf oneOf"),
	...K("map", "properties patternProperties $defs definitions dependentSchemas dependencies"),
	...K("items", "items")
]);
function K(e, t) {
	return t.split(" ").map((t) => [t, e]);
}
var st = /* @__PURE__ */ new Map([
	["http://json-schema.org/draft/2020-12/schema", "2020-12"],
	["http://json-schema.org/draft/2019-09/schema", "2019-09"],
	["http://json-schema.org/draft-07/schema", "7"]
]);
function ct(e) {
	let t = c(lt(e)), n = new pt(k(t) ? ut(t.$schema) : "2020-12"), r = n.schema(t, "", 1);
	n.follow();
	let i;
	try {
		i = ze(r, n.draft);
	} catch (e) {
		throw q("#", e.message.split("\n")[0] ?? "");
	}
	return (e) => {
		let t = i(e, null);
		return t === null ? null : `#${t.at}: ${t.why}`;
	};
}
function lt(e) {
	try {
		return w(e, nt);
	} catch (e) {
		throw q("#", e.message);
	}
}
function ut(e) {
	if (e === void 0) return "2020-12";
	let t = typeof e == "string" ? e.replace(/^https:/, "http:").replace(/#$/, "") : "", n = st.get(t);
	if (n === void 0) throw q("#/$schema", "a dialect other than draft-07, 2019-09 and 2020-12");
	return n;
}
function q(t, n) {
	return new e("SCHEMA_INVALID", `schema at ${t}: ${n}`);
}
function dt(e, t) {
	if (typeof e == "string" && (e === "#" || e.startsWith("#/"))) try {
		return decodeURIComponent(e.slice(1));
	} catch {}
	throw q(t, "leads out of the schema; only # and #/… are followed");
}
function ft(e) {
	return e.replaceAll("~", "~0").replaceAll("/", "~1");
}
var pt = class {
	draft;
	#e = 0;
	#t = /* @__PURE__ */ new Set();
	#n = [];
	constructor(e) {
		this.draft = e;
	}
	schema(e, t, n) {
		if (this.#s(t, n), this.#t.add(t), typeof e == "boolean") return e;
		if (!k(e)) throw q(t || "#", "neither an object nor true or false");
		let r = l(e);
		if (r.length > W) throw q(t, "too many keywords");
		let i = {};
		for (let a of r) {
			let r = ot.get(a) ?? (a.startsWith("x-") ? "note" : void 0);
			if (r === void 0) throw q(t || "#", `the keyword "${a.slice(0, 64)}" is not supported`);
			let o = this.#r(a, r, e[a], `${t}/${ft(a)}`, n);
			o !== void 0 && (i[a] = o);
		}
		return i;
	}
	follow() {
		for (let [e, t] of this.#n) if (!this.#t.has(t)) throw q(e, "leads to no subschema of this schema");
	}
	#r(e, t, n, r, i) {
		if (this.#c(e, r), e === "$id" && i > 1) throw q(r, "a subschema has no address of its own");
		switch (t) {
			case "note":
				this.#o(n, r, i);
				return;
			case "plain":
				if (this.#o(n, r, i), e === "pattern" && this.#l(n, r), e === "$ref" && this.#n.push([r, dt(n, r)]), e === "multipleOf" && n === 0) throw q(r, "is zero");
				return n;
			case "one": return this.schema(n, r, i + 1);
			case "items":
				if (!p(n)) return this.schema(n, r, i + 1);
				if (this.draft === "2020-12") throw q(r, "a list is prefixItems in the dialect 2020-12");
				return this.#i(n, r, i);
			case "list": return this.#i(n, r, i);
			case "map": return this.#a(e, n, r, i);
		}
	}
	#i(e, t, n) {
		if (!p(e) || e.length > W) throw q(t, `not a list of at most ${W} schemas`);
		return e.map((e, r) => this.schema(e, `${t}/${r}`, n + 1));
	}
	#a(e, t, n, r) {
		if (!k(t) || l(t).length > W) throw q(n, `not an object of at most ${W} schemas`);
		let i = {};
		for (let a of l(t)) {
			let o = t[a];
			this.#c(a, n), e === "patternProperties" && this.#l(a, n), e === "dependencies" && p(o) ? (this.#o(o, n, r), i[a] = o) : i[a] = this.schema(o, `${n}/${ft(a)}`, r + 1);
		}
		return i;
	}
	#o(e, t, n) {
		if (this.#s(t, n), typeof e == "string") this.#c(e, t);
		else if (p(e)) for (let r of e) this.#o(r, t, n + 1);
		else if (k(e)) {
			if (l(e).length > W) throw q(t, "too many members");
			for (let r of l(e)) this.#c(r, t), this.#o(e[r], t, n + 1);
		}
	}
	#s(e, t) {
		if (t > it) throw q(e, "nested too deeply");
		if (++this.#e > rt) throw q(e, `more than ${rt} values`);
	}
	#c(e, t) {
		if (e.length > G && [...e].length > G) throw q(t, `a text of more than ${G} characters`);
	}
	#l(e, t) {
		if (typeof e != "string" || e.length > at) throw q(t, `not a pattern of at most ${at} characters`);
		if (/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(e.replace(/\\\\/g, ""))) throw q(t, "a pattern looks around or back, which RE2 cannot");
		try {
			new RegExp(e, "u");
		} catch {
			throw q(t, "not a regular expression");
		}
	}
}, mt = 65536, ht = 120, gt = 1e3, _t = 8, vt = 256, yt = 128, bt = /^[A-Za-z0-9_.-]{1,128}$/, xt = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
function St(e, t) {
	if (typeof e != "string" || !bt.test(e)) throw Y("the name is not 1–128 characters A–Z a–z 0–9 _ . -");
	if (!k(t)) throw Y(`${e}: no options`);
	let n = { name: e };
	for (let e of l(t)) t[e] !== void 0 && (n[e] = t[e]);
	if (n.name = e, !A(n, ["name", "inputSchema"], [
		"title",
		"description",
		"outputSchema",
		"annotations"
	])) throw Y(`${e}: inputSchema is missing, or an option is unknown`);
	let r = c(J(e, () => w(n, mt)));
	if (Ct(e, "title", r.title, ht), Ct(e, "description", r.description, gt), r.annotations !== void 0) {
		if (!k(r.annotations)) throw Y(`${e}: annotations is no object`);
		X(e, r.annotations, 1);
	}
	return {
		descriptor: r,
		input: J(e, () => ct(r.inputSchema)),
		output: r.outputSchema === void 0 ? () => null : J(e, () => ct(r.outputSchema))
	};
}
function J(e, t) {
	try {
		return t();
	} catch (t) {
		throw Y(`${e}: ${t.message}`);
	}
}
function Y(t) {
	return new e("SCHEMA_INVALID", t);
}
function Ct(e, t, n, r) {
	if (n === void 0) return;
	if (typeof n != "string") throw Y(`${e}: ${t} is no text`);
	let i = [...n].length;
	if (i < 1 || i > r) throw Y(`${e}: ${t} has not 1 to ${r} characters`);
	if (xt.test(n)) throw Y(`${e}: ${t} has control, bidi or zero-width characters, or more than one line`);
	if (n.normalize("NFC") !== n) throw Y(`${e}: ${t} is not in Unicode normal form C`);
}
function X(e, t, n) {
	if (n > _t) throw Y(`${e}: annotations are nested too deeply`);
	if (typeof t == "string" && t.length > vt) throw Y(`${e}: an annotation is longer than ${vt}`);
	if (p(t)) for (let r of t) X(e, r, n + 1);
	else if (k(t)) for (let r of l(t)) {
		if (r.length > yt) throw Y(`${e}: an annotation's key is longer than ${yt}`);
		X(e, t[r], n + 1);
	}
}
function wt(e, t) {
	return ve(s({ tools: e })) <= t;
}
// src/port/chord.ts
var Tt = [
	"1",
	"2",
	"3",
	"4",
	"5",
	"6",
	"7",
	"8",
	"9"
];
[...Tt.map((e) => `workspace-${e}`), ...Tt.map((e) => `move-tile-${e}`)];
function Et({ key: e, code: t, ctrlKey: n, metaKey: r, altKey: i, shiftKey: a }) {
	if (i) return null;
	if (!n && !r) return e === "F6" ? a ? "region-back" : "region" : e === "F8" && !a ? "question" : null;
	let o = /^[a-z]$/i.test(e) ? e.toLowerCase() : /^Key[A-Z]$/.test(t) ? t.slice(3).toLowerCase() : e;
	if (n) return r || a ? null : o === "k" ? "launcher" : e === "." || t === "Period" ? "stop" : null;
	let s = /^Digit([1-9])$/.exec(t)?.[1];
	return s === void 0 ? a ? null : o === "k" ? "launcher" : o === "q" ? "close-tile" : null : a ? `move-tile-${s}` : `workspace-${s}`;
}
// sdk/src/host.ts
var Dt = class {
	#e;
	#t = /* @__PURE__ */ new Set();
	#n = null;
	constructor(e) {
		this.#e = e;
	}
	get context() {
		return this.#n;
	}
	take(e) {
		let t = this.#n?.theme === e.theme;
		if (this.#n = Object.freeze(e), !t) {
			this.#e !== void 0 && (this.#e.style.colorScheme = e.theme, this.#e.setAttribute("data-theme", e.theme));
			for (let e of [...this.#t]) this.#r(e);
		}
	}
	listen(e) {
		let t = (t) => e(t);
		return this.#t.add(t), this.#n !== null && this.#r(t), () => void this.#t.delete(t);
	}
	#r(e) {
		try {
			this.#n !== null && e(this.#n);
		} catch (e) {
			b(e);
		}
	}
};
function Ot(e, t) {
	e.addEventListener("keydown", (e) => {
		let n = e;
		if (!n.isTrusted) return;
		let r = Et(n);
		r !== null && (n.repeat || t(r)) && (n.preventDefault(), n.stopImmediatePropagation());
	}, !0);
}
var kt = 4e5, At = 1e4, jt = class {
	#e = /* @__PURE__ */ new Map();
	#t;
	host;
	constructor(e, t) {
		this.host = new Dt(t), this.#t = new Le(e, (e) => this.#a(e), (e) => this.#i(e));
	}
	expose(t, n, r) {
		if (typeof r != "function") throw new e("INVALID_REQUEST", `${t}: the handler is no function`);
		let i = St(t, n), a = [...this.#n().filter((e) => e.name !== t), i.descriptor];
		if (a.length > 64) throw new e("LIMIT", "an endpoint exposes at most 64 tools");
		if (!wt(a, 1048576)) throw new e("LIMIT", "the descriptors of all tools are too large together");
		this.#e.set(t, {
			...i,
			handler: r
		}), this.#r();
	}
	remove(e) {
		let t = this.#e.delete(e);
		return t && this.#r(), t;
	}
	async call(t, n = {}) {
		if (!k(t) || !A(t, ["target", "name"], ["arguments"])) throw new e("INVALID_REQUEST", "a call has a target, a name and arguments, and nothing else");
		let { timeout: r } = n, i = r === void 0 ? void 0 : Math.round(r * 1e3);
		if (i !== void 0 && !(m(i) && i >= 1e3 && i <= 3e5)) throw new e("INVALID_REQUEST", "a timeout is 1 to 300 seconds");
		return (await this.#t.connected(n.signal)).call("tools.call", {
			target: t.target,
			name: t.name,
			arguments: t.arguments ?? {},
			...i === void 0 ? {} : { timeoutMs: i }
		}, {
			timeoutMs: (i ?? 6e4) + kt,
			signal: n.signal,
			onProgress: n.onProgress
		});
	}
	async list(e, t = {}) {
		return Mt(await (await this.#t.connected(t.signal)).call("tools.list", { target: e }, {
			timeoutMs: 41e4,
			signal: t.signal
		}), "tools");
	}
	async kernelList(e, t, n = {}) {
		return Mt(await this.call({
			target: "kernel",
			name: e
		}, n), t);
	}
	chord(e) {
		let { peer: t } = this.#t;
		return t !== null && (t.call("host.chord", { chord: e }, { timeoutMs: At }).catch(() => void 0), !0);
	}
	dispose() {
		this.#t.dispose();
	}
	#n() {
		return [...this.#e.values()].map((e) => e.descriptor);
	}
	#r() {
		this.#t.peer !== null && this.#i(this.#t.peer);
	}
	#i(t) {
		t.call("tools.push", { tools: this.#n() }, { timeoutMs: At }).catch((t) => {
			t instanceof e && t.code === "ENDPOINT_GONE" || b(t);
		});
	}
	#a(t) {
		switch (t.action) {
			case "ping": return t.respond({});
			case "host.context": {
				let n = Se(t.payload);
				if (n === null) throw new e("INVALID_REQUEST", "a context has a theme, light or dark, and nothing else");
				return this.host.take(n), t.respond({});
			}
			case "tool.run":
				this.#o(t).then((e) => t.respond(e), (e) => t.fail(e));
				return;
			default: throw new e("NOT_SUPPORTED", `this page has no action ${t.action}`);
		}
	}
	async #o(t) {
		let { name: n, args: r, caller: i } = Nt(t.payload), a = this.#e.get(n);
		if (a === void 0) throw new e("TOOL_UNKNOWN", `no tool ${n} is exposed here`);
		let o = a.input(r);
		if (o !== null) throw new e("INPUT_INVALID", o);
		let s = Object.freeze({
			caller: i,
			signal: t.signal,
			reportProgress: (e) => t.progress(e)
		}), c = await a.handler(r, s) ?? null, l = a.output(c);
		if (l !== null) throw new e("OUTPUT_INVALID", l);
		return c;
	}
};
function Mt(t, n) {
	if (k(t) && p(t[n])) return t[n];
	throw new e("OUTPUT_INVALID", `the kernel's answer has no list of ${n}`);
}
function Nt(t) {
	if (k(t) && typeof t.name == "string" && k(t.arguments) && k(t.caller)) {
		let { endpoint: e, appId: n, role: r } = t.caller;
		if (typeof e == "string" && typeof n == "string" && typeof r == "string") return {
			name: t.name,
			args: t.arguments,
			caller: Object.freeze({
				endpoint: e,
				appId: n,
				role: r
			})
		};
	}
	throw new e("INVALID_REQUEST", "tool.run has a name, arguments and a caller");
}
// sdk/src/workerShim.ts
function Pt(e) {
	let t = e.Worker;
	t !== void 0 && (e.Worker = class extends t {
		constructor(e, t = {}) {
			let n = new URL(e, location.href);
			if (!/^https?:$/.test(n.protocol)) {
				super(e, t);
				return;
			}
			let r = new Blob([t.type === "module" ? It(n.href) : Ft(n.href)], { type: "text/javascript" }), i = URL.createObjectURL(r);
			super(i, t.name === void 0 ? {} : { name: t.name });
		}
	});
}
function Ft(e) {
	return `importScripts(${JSON.stringify(e)})`;
}
function It(e) {
	return [
		"const early=[],keep=e=>{early.push(e);e.stopImmediatePropagation()};addEventListener('message',keep);",
		`import(${JSON.stringify(e)}).then(()=>{removeEventListener('message',keep);`,
		"for(const e of early)dispatchEvent(new MessageEvent('message',{data:e.data,ports:[...e.ports]}))},",
		"e=>setTimeout(()=>{throw e}))"
	].join("");
}
// sdk/src/index.ts
var Z = typeof window < "u" && typeof document < "u";
Z && globalThis.origin === "null" && Pt(globalThis);
var Q = new jt(Z ? window : void 0, Z ? document.documentElement : void 0);
Z && Ot(window, (e) => Q.chord(e));
function Lt(e, t, n) {
	Q.expose(e, t, n);
}
function Rt(e) {
	return Q.remove(e);
}
function $(e, t) {
	return Q.call(e, t);
}
function zt() {
	return Q.host.context;
}
function Bt(e) {
	return Q.host.listen(e);
}
function Vt() {
	return {
		listApps: (e) => Q.kernelList("apps.list", "apps", e),
		listEndpoints: (e) => Q.kernelList("endpoints.list", "endpoints", e),
		listTools: (e, t) => Q.list(e, t),
		callTool: $
	};
}
export { e as NeutronError, $ as callTool, Vt as createMsgBusClient, Lt as exposeTool, zt as hostContext, Bt as onHostContext, Rt as removeExposedTool };
