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
var s = JSON.stringify, c = JSON.parse, l = Object.keys, u = Reflect.ownKeys, d = Object.getPrototypeOf, f = Object.getOwnPropertyDescriptor, p = Array.isArray, m = Number.isSafeInteger, h = Object.prototype, ee = Array.prototype, te = globalThis.setTimeout, ne = globalThis.clearTimeout;
crypto.getRandomValues.bind(crypto);
var re = typeof globalThis.reportError == "function" ? globalThis.reportError.bind(globalThis) : void 0;
function g(e, t) {
	let n = te(t, e);
	return () => ne(n);
}
var ie = globalThis.btoa, ae = globalThis.atob, oe = String.fromCharCode;
function se(e) {
	let t = "";
	for (let n = 0; n < e.length; n += 8192) t += oe(...e.subarray(n, n + 8192));
	return ie(t);
}
function ce(e) {
	let t = ae(e), n = new Uint8Array(t.length);
	for (let e = 0; e < t.length; e++) n[e] = t.charCodeAt(e);
	return n;
}
function _(e) {
	re?.(e);
}
var v = MessagePort.prototype, le = v.postMessage, ue = v.start, de = v.close, fe = v.addEventListener, pe = v.removeEventListener, y = Function.prototype.call, b = y.bind(y);
function me(e, t) {
	b(le, e, t);
}
function he(e, t) {
	let n = (e) => t(() => e.data);
	return b(fe, e, "message", n), b(ue, e), () => {
		b(pe, e, "message", n), b(de, e);
	};
}
// src/port/json.ts
var x = 1 << 20, ge = 65536, _e = 2e5, ve = 2e4, ye = 1e-308, be = /\p{Surrogate}/u, S = (t) => {
	throw new e("INVALID_REQUEST", t);
};
function C(t, n) {
	w(t, {
		nodes: 0,
		trail: []
	});
	let r = s(t);
	if (r.length > n || r.length * 3 > n && xe(r) > n) throw new e("LIMIT", `larger than ${n} bytes`);
	return r;
}
function xe(e) {
	let t = e.length;
	for (let n = 0; n < e.length; n++) {
		let r = e.charCodeAt(n);
		r < 128 || (t += r < 2048 || r >= 55296 && r <= 57343 ? 1 : 2);
	}
	return t;
}
function w(e, t) {
	switch (++t.nodes > 2e5 && S(`more than ${_e} values`), typeof e) {
		case "boolean": return;
		case "string": return Se(e);
		case "number":
			e - e !== 0 && S("a number is not finite"), e !== 0 && e < ye && e > -1e-308 && S("a number is too small to write");
			return;
		case "object":
			e !== null && Ce(e, t);
			return;
		default: S(`${typeof e} is not JSON`);
	}
}
function Se(e) {
	be.test(e) && S("a string holds half a surrogate pair");
}
function Ce(e, t) {
	t.trail.length >= 64 && S(t.trail.includes(e) ? "an object holds itself" : "nested deeper than 64 levels"), t.trail.push(e), p(e) ? we(e, t) : Te(e, t), t.trail.pop();
}
function we(e, t) {
	d(e) !== ee && S("an array is an instance of a class");
	let n = u(e);
	n.length !== e.length + 1 && S("an array has holes or members with names");
	for (let r = 0; r < e.length; r++) {
		let i = f(e, n[r]);
		i !== void 0 && "value" in i || S("an array has a computed member"), w(i?.value, t);
	}
}
function Te(e, t) {
	let n = d(e);
	n !== h && n !== null && S("an object is an instance of a class");
	let r = u(e);
	r.length > 2e4 && S(`an object has more than ${ve} members`);
	for (let n of r) {
		if (typeof n != "string") return S("an object has a member named by a symbol");
		n === "__proto__" && S("a member is named \"__proto__\""), Se(n);
		let r = f(e, n);
		if (r === void 0 || !r.enumerable || !("value" in r)) return S("an object has a hidden or computed member");
		w(r.value, t);
	}
}
function T(e) {
	return typeof e == "object" && !!e && !p(e);
}
function E(e, t, n = []) {
	let r = l(e);
	for (let e of r) if (!t.includes(e) && !n.includes(e)) return !1;
	for (let e of t) if (!r.includes(e)) return !1;
	return !0;
}
// src/port/context.ts
function Ee(e) {
	if (!T(e) || !E(e, ["theme"])) return null;
	let { theme: t } = e;
	return t === "light" || t === "dark" ? { theme: t } : null;
}
// src/port/handshake.ts
var De = "neutron:msgbus:ready", Oe = /^[A-Za-z0-9_-]{16,128}$/;
function ke(e) {
	return T(e) && E(e, ["type", "version"]) && e.type === "neutron:msgbus:probe" && e.version === 1;
}
function Ae(e) {
	return !T(e) || !E(e, [
		"type",
		"version",
		"sessionId"
	]) || e.type !== "neutron:msgbus:connect" || e.version !== 1 ? null : typeof e.sessionId == "string" && Oe.test(e.sessionId) ? e.sessionId : null;
}
function je(e, t) {
	let n = e.parent;
	if (n === e) return () => {};
	let r = !1, i = () => n.postMessage({
		type: De,
		version: 1
	}, "*"), a = (e) => {
		if (e.source !== n) return;
		if (ke(e.data)) {
			r || i();
			return;
		}
		let a = Ae(e.data), o = e.ports;
		if (a === null || o.length !== 1) for (let e of o) e.close();
		else r = !0, t(o[0], a);
	};
	return e.addEventListener("message", a), queueMicrotask(i), () => e.removeEventListener("message", a);
}
// src/port/envelope.ts
var Me = 2 ** 53 - 1, D = { type: "malformed" }, Ne = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, Pe = /^[A-Za-z0-9_-]{16,128}$/;
function O(e) {
	return m(e) && e >= 1;
}
function Fe(e) {
	if (!T(e) || !O(e.id)) return D;
	switch (e.type) {
		case "exec": return E(e, [
			"type",
			"id",
			"payload"
		]) && Ie(e.payload) ? e : {
			type: "malformed",
			answer: e.id
		};
		case "response": return E(e, [
			"type",
			"id",
			"ok"
		]) || E(e, [
			"type",
			"id",
			"error"
		]) && Re(e.error) ? e : D;
		case "progress": return E(e, [
			"type",
			"id",
			"value"
		]) ? e : D;
		case "cancel": return E(e, ["type", "id"]) ? e : D;
		default: return D;
	}
}
function Ie(e) {
	return T(e) && E(e, ["action", "payload"], ["context"]) && typeof e.action == "string" && e.action.length <= 64 && Ne.test(e.action) && (!("context" in e) || Le(e.context));
}
function Le(e) {
	if (!T(e) || !E(e, [], ["invocation"])) return !1;
	if (!("invocation" in e)) return !0;
	let t = e.invocation;
	return T(t) && E(t, [
		"id",
		"rootId",
		"capability"
	]) && [
		t.id,
		t.rootId,
		t.capability
	].every((e) => typeof e == "string" && Pe.test(e));
}
function Re(e) {
	return T(e) && E(e, [
		"name",
		"message",
		"code"
	], ["retryAfterMs"]) && typeof e.name == "string" && e.name.length <= 64 && typeof e.message == "string" && e.message.length <= 1e3 && r(e.code) && (!("retryAfterMs" in e) || m(e.retryAfterMs) && e.retryAfterMs >= 0);
}
var ze = class {
	#e;
	#t;
	#n;
	#r = /* @__PURE__ */ new Map();
	#i = /* @__PURE__ */ new Map();
	#a = 0;
	#o = !1;
	constructor(e, t) {
		this.#t = e, this.#e = t, this.#n = he(e, (e) => this.#l(e));
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
		for (let n of t) k(() => n.sink.error(e));
	}
	open(t, n, r, i, a = this.#s()) {
		if (this.#o) throw new e("ENDPOINT_GONE", "the connection is closed");
		if (!O(a) || this.#r.has(a)) throw new e("INVALID_REQUEST", "the id is in use or no id");
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
				}), e !== void 0 && (this.#r.delete(a), k(() => r.error(e))));
			}
		};
	}
	call(t, n, r) {
		return new Promise((i, a) => {
			let { signal: s, onProgress: c } = r;
			if (s?.aborted) throw new e("CANCELLED", "the call was cancelled before it began");
			C(n, x);
			let l = (e, t) => m.cancel({
				name: "NeutronError",
				code: e,
				message: t
			}), u = () => l("CANCELLED", "the call was cancelled"), d = g(r.timeoutMs, () => l("TIMEOUT", `no answer in ${r.timeoutMs} ms`)), f = () => {
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
			this.#a = this.#a >= Me ? 1 : this.#a + 1;
		while (this.#r.has(this.#a));
		return this.#a;
	}
	#c(e) {
		me(this.#t, e);
	}
	#l(t) {
		if (this.#e.admit?.() === !1) return;
		let n = Fe(t());
		switch (n.type) {
			case "malformed":
				this.#u("INVALID_REQUEST"), n.answer !== void 0 && !this.#i.has(n.answer) && this.#d(n.answer, new e("INVALID_REQUEST", "the envelope is not of the form of an exec"));
				return;
			case "exec": return this.#f(n);
			case "response": return this.#p(n.id, n);
			case "progress": return this.#m(n.id, n.value);
			case "cancel": {
				let t = this.#i.get(n.id);
				return t === void 0 ? this.#u("LATE") : t.abort(new e("CANCELLED", "the caller cancelled"));
			}
		}
	}
	#u(e) {
		this.#e.refused?.(e);
	}
	#d(e, t) {
		this.#c({
			type: "response",
			id: e,
			error: a(t, "HANDLER_FAILED")
		});
	}
	#f(t) {
		let { id: n } = t;
		if (this.#i.has(n)) return this.#u("INVALID_REQUEST");
		let { action: r, payload: i, context: a } = t.payload, o;
		try {
			o = C(i, x);
		} catch (t) {
			return this.#u(t instanceof e && t.code === "LIMIT" ? "LIMIT" : "INVALID_REQUEST"), this.#d(n, t);
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
						this.#e.vouched || C(t, x);
					} catch (t) {
						let r = t instanceof e && t.code === "LIMIT" ? "LIMIT" : "OUTPUT_INVALID";
						return this.#d(n, new e(r, `the result cannot travel: ${t.message}`));
					}
					this.#c({
						type: "response",
						id: n,
						ok: t
					});
				}
			},
			fail: (e) => {
				c() && this.#d(n, e);
			},
			progress: (e) => {
				if (!(this.#i.get(n) !== s || l >= 2e3)) {
					try {
						this.#e.vouched || C(e, ge);
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
	#p(t, n) {
		let r = this.#r.get(t);
		if (r === void 0) return this.#u("LATE");
		if (this.#r.delete(t), "error" in n) return k(() => r.sink.error(n.error));
		let i;
		try {
			i = C(n.ok, x);
		} catch (t) {
			let n = t instanceof e && t.code === "LIMIT";
			this.#u(n ? "LIMIT" : "INVALID_REQUEST");
			let i = n ? "LIMIT" : "OUTPUT_INVALID";
			return k(() => r.sink.error({
				name: "NeutronError",
				code: i,
				message: t.message
			}));
		}
		k(() => r.sink.ok(n.ok, i));
	}
	#m(e, t) {
		let n = this.#r.get(e);
		if (n === void 0) return this.#u("LATE");
		if (++n.progress > 2e3) return this.#u("LIMIT");
		let r;
		try {
			r = C(t, ge);
		} catch {
			return this.#u("LIMIT");
		}
		k(() => n.sink.progress?.(t, r));
	}
};
function k(e) {
	try {
		e();
	} catch (e) {
		_(e);
	}
}
// sdk/src/connection.ts
var Be = 2e3, Ve = class {
	#e = null;
	#t = /* @__PURE__ */ new Set();
	#n;
	#r;
	#i;
	constructor(e, t, n) {
		this.#n = t, this.#r = n, this.#i = e === void 0 ? () => {} : je(e, (e) => this.#a(e));
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
			}, s = g(Be, () => {
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
		let t = new ze(e, { exec: (e) => this.#n(e) });
		this.#e = t, this.#r(t);
		for (let e of [...this.#t]) e(t);
	}
}, A = Object.hasOwn, He = [
	"null",
	"boolean",
	"number",
	"integer",
	"string",
	"array",
	"object"
];
function Ue(e, t) {
	return new We(t, j(e)).at(e, "");
}
function j(e) {
	return p(e) ? e.some(j) : T(e) ? A(e, "unevaluatedProperties") || A(e, "unevaluatedItems") || l(e).some((t) => j(e[t])) : !1;
}
var M = (e) => ({
	at: "",
	why: e
}), N = (e, t) => ({
	at: `/${typeof e == "number" ? e : e.replaceAll("~", "~0").replaceAll("/", "~1")}${t.at}`,
	why: t.why
}), We = class {
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
		if (e === !1) return () => M("nothing is allowed here");
		let n = [], r = (e) => {
			e !== null && n.push(e);
		}, i = (n) => A(e, n) ? this.at(e[n], `${t}/${n}`) : null, a = (n) => (e[n] ?? []).map((e, r) => this.at(e, `${t}/${n}/${r}`)), o = (n) => l(e[n] ?? {}).map((r) => {
			let i = e[n][r];
			return p(i) ? [r, qe(i, n)] : [r, this.at(i, `${t}/${n}/${r.replaceAll("~", "~0").replaceAll("/", "~1")}`)];
		}), s = (e) => o(e);
		s("$defs"), s("definitions");
		let c = e.$ref === void 0 ? null : this.#n(e.$ref);
		r(Je(e.type)), A(e, "const") && r(Ye([e.const])), A(e, "enum") && r(Ye(e.enum)), r(c);
		for (let e of a("allOf")) r(e);
		r(Xe(a("anyOf"))), r(Ze(a("oneOf"))), r(Qe(i("not"))), r($e(i("if"), i("then"), i("else"))), r(et(e)), r(rt(e)), r(at([
			...o("dependencies"),
			...s("dependentSchemas"),
			...o("dependentRequired")
		])), r(ot(e, s("properties"), s("patternProperties"), i("additionalProperties"), i("propertyNames")));
		let u = p(e.items), d = this.dialect === "2020-12", [f, m, h] = [
			a("prefixItems"),
			u ? a("items") : i("items"),
			i("additionalItems")
		];
		p(m) ? r(st(e, m, h)) : r(st(e, d ? f : [], m)), r(ct(e, i("contains"), d));
		let ee = Ge(n, this.tracks, i("unevaluatedProperties"), i("unevaluatedItems"));
		return c !== null && this.dialect === "7" ? c : ee;
	}
	#n(e) {
		let t = decodeURIComponent(e.slice(1)), n;
		return (e, r) => (n ??= this.#e.get(t))(e, r);
	}
};
function Ge(e, t, n, r) {
	let [i, a] = e;
	return t ? (t, i) => {
		if (typeof t != "object" || !t) return P(e, t, null);
		let a = /* @__PURE__ */ new Set(), o = P(e, t, a) ?? Ke(t, a, n, r);
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
function P(e, t, n) {
	for (let r of e) {
		let e = r(t, n);
		if (e !== null) return e;
	}
	return null;
}
function Ke(e, t, n, r) {
	let i = p(e) ? r : n;
	if (i === null) return null;
	let a = p(e) ? e.map((e, t) => t) : l(e);
	for (let n of a) {
		if (t.has(n)) continue;
		let r = i(e[n], null);
		if (r !== null) return N(n, r);
		t.add(n);
	}
	return null;
}
function qe(e, t) {
	if (p(e) && e.every((e) => typeof e == "string")) return e;
	throw Error(`${t} is no list of texts`);
}
function F(e, t) {
	let n = e[t];
	if (n === void 0 || typeof n == "number") return n;
	throw Error(`${t} is no number`);
}
function Je(e) {
	if (e === void 0) return null;
	let t = p(e) ? e : [e];
	if (t.length === 0 || !t.every((e) => He.includes(e))) throw Error("type names no type");
	let n = `not of type ${t.join(" or ")}`, [r] = t;
	if (t.length === 1 && (r === "string" || r === "boolean" || r === "number")) return (e) => typeof e === r ? null : M(n);
	let i = (e) => {
		switch (typeof e) {
			case "number": return t.includes("number") || e % 1 == 0 && t.includes("integer");
			case "object": return t.includes(e === null ? "null" : p(e) ? "array" : "object");
			default: return t.includes(typeof e);
		}
	};
	return (e) => i(e) ? null : M(n);
}
function I(e) {
	return p(e) ? `[${e.map(I).join(",")}]` : T(e) ? `{${l(e).sort().map((t) => `${s(t)}:${I(e[t])}`).join(",")}}` : s(e);
}
function Ye(e) {
	if (!p(e)) throw Error("enum is no list");
	let t = new Set(e.filter((e) => typeof e != "object" || !e)), n = new Set(e.filter((e) => typeof e == "object" && !!e).map(I)), r = "not one of the allowed values";
	return (e) => typeof e != "object" || !e ? t.has(e) ? null : M(r) : n.size > 0 && n.has(I(e)) ? null : M(r);
}
function Xe(e) {
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
function Ze(e) {
	return e.length === 0 ? null : (t, n) => {
		let r = null, i = 0;
		for (let a of e) {
			let e = a(t, n);
			if (e === null ? i++ : r ??= e, i > 1) return M("matches more than one of the alternatives");
		}
		return i === 1 ? null : r;
	};
}
function Qe(e) {
	return e && ((t) => e(t, null) === null ? M("matches what it must not match") : null);
}
function $e(e, t, n) {
	return e && ((r, i) => e(r, i) === null ? t?.(r, i) ?? null : n?.(r, i) ?? null);
}
function et(e) {
	let [t, n] = [F(e, "minimum"), F(e, "maximum")], [r, i, a] = [
		F(e, "exclusiveMinimum"),
		F(e, "exclusiveMaximum"),
		F(e, "multipleOf")
	];
	if (a !== void 0 && a <= 0) throw Error("multipleOf is not above zero");
	return [
		t,
		n,
		r,
		i,
		a
	].every((e) => e === void 0) ? null : (e) => typeof e == "number" ? t !== void 0 && e < t ? M(`less than ${t}`) : n !== void 0 && e > n ? M(`greater than ${n}`) : r !== void 0 && e <= r ? M(`not greater than ${r}`) : i !== void 0 && e >= i ? M(`not less than ${i}`) : a === void 0 || tt(e, a) ? null : M(`no multiple of ${a}`) : null;
}
function tt(e, t) {
	let [n, r] = nt(e), [i, a] = nt(t), o = BigInt(Math.abs(r - a));
	return r >= a ? n * 10n ** o % i == 0n : n % (i * 10n ** o) == 0n;
}
function nt(e) {
	let [t = "", n = "0"] = String(Math.abs(e)).split("e"), [r = "", i = ""] = t.split(".");
	return [BigInt(r + i), Number(n) - i.length];
}
function rt(e) {
	let [t, n] = [F(e, "minLength"), F(e, "maxLength")], r = e.pattern === void 0 ? null : new RegExp(e.pattern, "u");
	return t === void 0 && n === void 0 && r === null ? null : (e) => typeof e == "string" ? n !== void 0 && e.length > n && it(e) > n ? M(`longer than ${n} characters`) : t !== void 0 && (e.length < t || e.length < 2 * t && it(e) < t) ? M(`shorter than ${t} characters`) : r === null || r.test(e) ? null : M("does not match its pattern") : null;
}
function it(e) {
	let t = e.length;
	for (let n = 0; n < e.length; n++) (e.charCodeAt(n) & 64512) == 56320 && t--;
	return t;
}
function at(e) {
	return e.length === 0 ? null : (t, n) => {
		if (!T(t)) return null;
		for (let [r, i] of e) if (A(t, r)) {
			if (typeof i == "function") {
				let e = i(t, n);
				if (e !== null) return e;
			} else for (let e of i) if (!A(t, e)) return M(`has ${r} without ${e}`);
		}
		return null;
	};
}
function ot(e, t, n, r, i) {
	let a = e.required === void 0 ? [] : qe(e.required, "required"), [o = 0, s = Infinity] = [F(e, "minProperties"), F(e, "maxProperties")], c = new Map(t), u = n.map(([e, t]) => [new RegExp(e, "u"), t]), d = c.size > 0 || u.length > 0 || r !== null || i !== null;
	if (!d && a.length === 0 && o === 0 && s === Infinity) return null;
	let f = (e, t, n) => {
		let i = c.get(e), a = i !== void 0, o = i === void 0 ? null : i(t, null);
		for (let [n, r] of u) n.test(e) && (a = !0, o ??= r(t, null));
		return !a && r !== null && (o = r(t, null)), (a || r !== null) && n?.add(e), o;
	};
	return (e, t) => {
		if (!T(e)) return null;
		for (let t of a) if (!A(e, t)) return M(`has no ${t}`);
		let n = l(e);
		if (n.length < o) return M(`has fewer than ${o} members`);
		if (n.length > s) return M(`has more than ${s} members`);
		if (!d) return null;
		for (let r of n) {
			let n = i?.(r, null) ?? f(r, e[r], t);
			if (n !== null) return N(r, n);
		}
		return null;
	};
}
function st(e, t, n) {
	let [r = 0, i = Infinity] = [F(e, "minItems"), F(e, "maxItems")], a = e.uniqueItems === !0;
	return t.length === 0 && n === null && !a && r === 0 && i === Infinity ? null : (e, o) => {
		if (!p(e)) return null;
		if (e.length < r) return M(`has fewer than ${r} items`);
		if (e.length > i) return M(`has more than ${i} items`);
		let s = n === null ? Math.min(t.length, e.length) : e.length;
		for (let r = 0; r < s; r++) {
			let i = (t[r] ?? n)(e[r], null);
			if (i !== null) return N(r, i);
			o?.add(r);
		}
		return a && new Set(e.map(I)).size < e.length ? M("has equal items") : null;
	};
}
function ct(e, t, n) {
	let [r = 1, i = Infinity] = [F(e, "minContains"), F(e, "maxContains")];
	return t === null ? null : (e, a) => {
		if (!p(e)) return null;
		let o = 0;
		return e.forEach((e, r) => {
			t(e, null) === null && (o++, n && a?.add(r));
		}), o < r ? M(`has fewer than ${r} items that it must contain`) : o > i ? M(`has more than ${i} items of a kind`) : null;
	};
}
// sdk/src/schema.ts
var lt = 32768, L = 2e3, ut = 20, R = 256, z = 4096, dt = 256, ft = new Map([
	...B("note", "$schema $id $comment title description default examples readOnly writeOnly deprecated format contentEncoding contentMediaType"),
	...B("plain", "$ref type enum const required dependentRequired multipleOf minimum exclusiveMinimum maximum exclusiveMaximum"),
	...B("plain", "minLength maxLength pattern minItems maxItems uniqueItems minContains maxContains minProperties maxProperties"),
	...B("one", "additionalProperties additionalItems unevaluatedProperties unevaluatedItems contains propertyNames not if then else"),
	...B("list", "prefixItems allOf anyOf oneOf"),
	...B("map", "properties patternProperties $defs definitions dependentSchemas dependencies"),
	...B("items", "items")
]);
function B(e, t) {
	return t.split(" ").map((t) => [t, e]);
}
var pt = /* @__PURE__ */ new Map([
	["http://json-schema.org/draft/2020-12/schema", "2020-12"],
	["http://json-schema.org/draft/2019-09/schema", "2019-09"],
	["http://json-schema.org/draft-07/schema", "7"]
]);
function mt(e) {
	let t = c(ht(e)), n = new yt(T(t) ? gt(t.$schema) : "2020-12"), r = n.schema(t, "", 1);
	n.follow();
	let i;
	try {
		i = Ue(r, n.draft);
	} catch (e) {
		throw V("#", e.message.split("\n")[0] ?? "");
	}
	return (e) => {
		let t = i(e, null);
		return t === null ? null : `#${t.at}: ${t.why}`;
	};
}
function ht(e) {
	try {
		return C(e, lt);
	} catch (e) {
		throw V("#", e.message);
	}
}
function gt(e) {
	if (e === void 0) return "2020-12";
	let t = typeof e == "string" ? e.replace(/^https:/, "http:").replace(/#$/, "") : "", n = pt.get(t);
	if (n === void 0) throw V("#/$schema", "a dialect other than draft-07, 2019-09 and 2020-12");
	return n;
}
function V(t, n) {
	return new e("SCHEMA_INVALID", `schema at ${t}: ${n}`);
}
function _t(e, t) {
	if (typeof e == "string" && (e === "#" || e.startsWith("#/"))) try {
		return decodeURIComponent(e.slice(1));
	} catch {}
	throw V(t, "leads out of the schema; only # and #/… are followed");
}
function vt(e) {
	return e.replaceAll("~", "~0").replaceAll("/", "~1");
}
var yt = class {
	draft;
	#e = 0;
	#t = /* @__PURE__ */ new Set();
	#n = [];
	constructor(e) {
		this.draft = e;
	}
	schema(e, t, n) {
		if (this.#s(t, n), this.#t.add(t), typeof e == "boolean") return e;
		if (!T(e)) throw V(t || "#", "neither an object nor true or false");
		let r = l(e);
		if (r.length > R) throw V(t, "too many keywords");
		let i = {};
		for (let a of r) {
			let r = ft.get(a) ?? (a.startsWith("x-") ? "note" : void 0);
			if (r === void 0) throw V(t || "#", `the keyword "${a.slice(0, 64)}" is not supported`);
			let o = this.#r(a, r, e[a], `${t}/${vt(a)}`, n);
			o !== void 0 && (i[a] = o);
		}
		return i;
	}
	follow() {
		for (let [e, t] of this.#n) if (!this.#t.has(t)) throw V(e, "leads to no subschema of this schema");
	}
	#r(e, t, n, r, i) {
		if (this.#c(e, r), e === "$id" && i > 1) throw V(r, "a subschema has no address of its own");
		switch (t) {
			case "note":
				this.#o(n, r, i);
				return;
			case "plain":
				if (this.#o(n, r, i), e === "pattern" && this.#l(n, r), e === "$ref" && this.#n.push([r, _t(n, r)]), e === "multipleOf" && n === 0) throw V(r, "is zero");
				return n;
			case "one": return this.schema(n, r, i + 1);
			case "items":
				if (!p(n)) return this.schema(n, r, i + 1);
				if (this.draft === "2020-12") throw V(r, "a list is prefixItems in the dialect 2020-12");
				return this.#i(n, r, i);
			case "list": return this.#i(n, r, i);
			case "map": return this.#a(e, n, r, i);
		}
	}
	#i(e, t, n) {
		if (!p(e) || e.length > R) throw V(t, `not a list of at most ${R} schemas`);
		return e.map((e, r) => this.schema(e, `${t}/${r}`, n + 1));
	}
	#a(e, t, n, r) {
		if (!T(t) || l(t).length > R) throw V(n, `not an object of at most ${R} schemas`);
		let i = {};
		for (let a of l(t)) {
			let o = t[a];
			this.#c(a, n), e === "patternProperties" && this.#l(a, n), e === "dependencies" && p(o) ? (this.#o(o, n, r), i[a] = o) : i[a] = this.schema(o, `${n}/${vt(a)}`, r + 1);
		}
		return i;
	}
	#o(e, t, n) {
		if (this.#s(t, n), typeof e == "string") this.#c(e, t);
		else if (p(e)) for (let r of e) this.#o(r, t, n + 1);
		else if (T(e)) {
			if (l(e).length > R) throw V(t, "too many members");
			for (let r of l(e)) this.#c(r, t), this.#o(e[r], t, n + 1);
		}
	}
	#s(e, t) {
		if (t > ut) throw V(e, "nested too deeply");
		if (++this.#e > L) throw V(e, `more than ${L} values`);
	}
	#c(e, t) {
		if (e.length > z && [...e].length > z) throw V(t, `a text of more than ${z} characters`);
	}
	#l(e, t) {
		if (typeof e != "string" || e.length > dt) throw V(t, `not a pattern of at most ${dt} characters`);
		if (/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(e.replace(/\\\\/g, ""))) throw V(t, "a pattern looks around or back, which RE2 cannot");
		try {
			new RegExp(e, "u");
		} catch {
			throw V(t, "not a regular expression");
		}
	}
}, bt = 65536, xt = 120, St = 1e3, Ct = 8, wt = 256, Tt = 128, Et = /^[A-Za-z0-9_.-]{1,128}$/, Dt = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
function Ot(e, t) {
	if (typeof e != "string" || !Et.test(e)) throw U("the name is not 1–128 characters A–Z a–z 0–9 _ . -");
	if (!T(t)) throw U(`${e}: no options`);
	let n = { name: e };
	for (let e of l(t)) t[e] !== void 0 && (n[e] = t[e]);
	if (n.name = e, !E(n, ["name", "inputSchema"], [
		"title",
		"description",
		"outputSchema",
		"annotations"
	])) throw U(`${e}: inputSchema is missing, or an option is unknown`);
	let r = c(H(e, () => C(n, bt)));
	if (kt(e, "title", r.title, xt), kt(e, "description", r.description, St), r.annotations !== void 0) {
		if (!T(r.annotations)) throw U(`${e}: annotations is no object`);
		W(e, r.annotations, 1);
	}
	return {
		descriptor: r,
		input: H(e, () => mt(r.inputSchema)),
		output: r.outputSchema === void 0 ? () => null : H(e, () => mt(r.outputSchema))
	};
}
function H(e, t) {
	try {
		return t();
	} catch (t) {
		throw U(`${e}: ${t.message}`);
	}
}
function U(t) {
	return new e("SCHEMA_INVALID", t);
}
function kt(e, t, n, r) {
	if (n === void 0) return;
	if (typeof n != "string") throw U(`${e}: ${t} is no text`);
	let i = [...n].length;
	if (i < 1 || i > r) throw U(`${e}: ${t} has not 1 to ${r} characters`);
	if (Dt.test(n)) throw U(`${e}: ${t} has control, bidi or zero-width characters, or more than one line`);
	if (n.normalize("NFC") !== n) throw U(`${e}: ${t} is not in Unicode normal form C`);
}
function W(e, t, n) {
	if (n > Ct) throw U(`${e}: annotations are nested too deeply`);
	if (typeof t == "string" && t.length > wt) throw U(`${e}: an annotation is longer than ${wt}`);
	if (p(t)) for (let r of t) W(e, r, n + 1);
	else if (T(t)) for (let r of l(t)) {
		if (r.length > Tt) throw U(`${e}: an annotation's key is longer than ${Tt}`);
		W(e, t[r], n + 1);
	}
}
function At(e, t) {
	return xe(s({ tools: e })) <= t;
}
// sdk/src/state.ts
var jt = /^[a-z][a-z0-9_.-]{0,63}$/, Mt = /^(?:0|[1-9][0-9]{0,127})$/, Nt = "store", Pt = 1e3, Ft = 5;
function G(e, t) {
	let [n, r] = [K(e), K(t)];
	return n.length === r.length ? n < r ? -1 : +(n > r) : n.length - r.length;
}
function K(t) {
	let n = `${t}`;
	if (Mt.test(n)) return n;
	throw new e("INVALID_REQUEST", "a revision is a whole number of at most 128 digits");
}
function q(t) {
	if (typeof t == "string" && jt.test(t)) return t;
	throw new e("INVALID_REQUEST", "a topic is a lower-case word of at most 64 characters");
}
var It = class {
	#e;
	#t = /* @__PURE__ */ new Map();
	#n = /* @__PURE__ */ new Map();
	constructor(e) {
		this.#e = e;
	}
	async publish(t, n) {
		let r = {
			topic: q(t),
			revision: K(n)
		};
		if (t === "store") throw new e("INVALID_REQUEST", "Neutron itself tells the changes of the store");
		await this.#e("app.state.publish", r), this.own(t, r.revision);
	}
	own(e, t) {
		for (let n of [...this.#n.get(e) ?? []]) n.announced(t);
	}
	on(e, t) {
		return Lt(this.#t, q(e), (e) => t(e));
	}
	watch(e, t) {
		let n = new Rt(t, () => r()), r = Lt(this.#n, q(e), n);
		return n.connected(), n;
	}
	hear(t) {
		if (!T(t) || !E(t, ["topic", "revision"])) throw new e("INVALID_REQUEST", "app.state has a topic and a revision");
		let { topic: n, revision: r } = t;
		if (typeof n != "string" || typeof r != "string") throw new e("INVALID_REQUEST", "app.state has two strings");
		let i = Object.freeze({
			topic: q(n),
			revision: K(r)
		});
		for (let e of [...this.#t.get(n) ?? []]) try {
			e(i);
		} catch (e) {
			_(e);
		}
		this.own(n, r);
	}
	connected() {
		for (let e of this.#n.values()) for (let t of [...e]) t.connected();
	}
	dispose() {
		for (let e of [...this.#n.values()]) for (let t of [...e]) t.stop();
	}
};
function Lt(e, t, n) {
	let r = e.get(t) ?? /* @__PURE__ */ new Set();
	return e.set(t, r.add(n)), () => {
		r.delete(n), r.size === 0 && e.get(t) === r && e.delete(t);
	};
}
var Rt = class {
	#e;
	#t;
	#n = /* @__PURE__ */ new Set();
	#r = new AbortController();
	#i;
	#a = "0";
	#o = null;
	#s = null;
	#c = 0;
	#l = () => {};
	constructor(e, t) {
		this.#e = e, this.#t = t;
	}
	get current() {
		return this.#i;
	}
	subscribe(e, t) {
		let n = {
			show: e,
			failed: t
		};
		return this.#n.add(n), this.#i !== void 0 && J(() => e(this.#i?.value, K(this.#i?.revision ?? 0))), () => {
			this.#n.delete(n);
		};
	}
	refresh() {
		return this.#r.signal.aborted ? Promise.reject(new e("CANCELLED", "the watch was stopped")) : (this.#l(), this.#o === null ? this.#d() : (this.#s ??= this.#o.then(() => this.#u(), () => this.#u()), this.#s));
	}
	stop() {
		this.#r.signal.aborted || (this.#t(), this.#l(), this.#r.abort(), this.#n.clear());
	}
	announced(e) {
		G(e, this.#a) > 0 && (this.#a = e), this.#i !== void 0 && G(this.#i.revision, e) >= 0 || (this.#c = 0, this.connected());
	}
	connected() {
		this.refresh().catch(() => {});
	}
	#u() {
		return this.#s = null, this.#r.signal.aborted ? Promise.resolve() : this.#d();
	}
	#d() {
		let e = this.#f().finally(() => {
			this.#o = null;
		});
		return this.#o = e, e;
	}
	async #f() {
		try {
			let e = await this.#e(this.#r.signal), t = K(e.revision);
			if (this.#r.signal.aborted) return;
			if (this.#i === void 0 || G(t, this.#i.revision) > 0) {
				this.#i = Object.freeze({
					value: e.value,
					revision: t
				});
				for (let n of [...this.#n]) J(() => n.show(e.value, t));
			}
			G(t, this.#a) >= 0 ? this.#c = 0 : this.#p();
		} catch (e) {
			if (this.#r.signal.aborted) return;
			for (let t of [...this.#n]) J(() => t.failed?.(e));
			throw this.#p(), e;
		}
	}
	#p() {
		this.#c >= Ft || this.#s !== null || (this.#l(), this.#l = g(Pt * 2 ** this.#c++, () => this.connected()));
	}
};
function J(e) {
	try {
		e();
	} catch (e) {
		_(e);
	}
}
// src/port/chord.ts
var zt = [
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
[...zt.map((e) => `workspace-${e}`), ...zt.map((e) => `move-tile-${e}`)];
function Bt({ key: e, code: t, ctrlKey: n, metaKey: r, altKey: i, shiftKey: a }) {
	if (i) return null;
	if (!n && !r) return e === "F6" ? a ? "region-back" : "region" : e === "F8" && !a ? "question" : null;
	let o = /^[a-z]$/i.test(e) ? e.toLowerCase() : /^Key[A-Z]$/.test(t) ? t.slice(3).toLowerCase() : e;
	if (n) return r || a ? null : o === "k" ? "launcher" : e === "." || t === "Period" ? "stop" : null;
	let s = /^Digit([1-9])$/.exec(t)?.[1];
	return s === void 0 ? a ? null : o === "k" ? "launcher" : o === "q" ? "close-tile" : null : a ? `move-tile-${s}` : `workspace-${s}`;
}
// sdk/src/host.ts
var Vt = class {
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
			_(e);
		}
	}
};
function Ht(e, t) {
	e.addEventListener("keydown", (e) => {
		let n = e;
		if (!n.isTrusted) return;
		let r = Bt(n);
		r !== null && (n.repeat || t(r)) && (n.preventDefault(), n.stopImmediatePropagation());
	}, !0);
}
var Ut = 4e5, Wt = 1e4, Gt = 6e4, Kt = class {
	#e = /* @__PURE__ */ new Map();
	#t;
	states = new It((e, t) => this.ask(e, t));
	host;
	constructor(e, t) {
		this.host = new Vt(t), this.#t = new Ve(e, (e) => this.#a(e), (e) => {
			this.#i(e), this.states.connected();
		});
	}
	expose(t, n, r) {
		if (typeof r != "function") throw new e("INVALID_REQUEST", `${t}: the handler is no function`);
		let i = Ot(t, n), a = [...this.#n().filter((e) => e.name !== t), i.descriptor];
		if (a.length > 64) throw new e("LIMIT", "an endpoint exposes at most 64 tools");
		if (!At(a, 1048576)) throw new e("LIMIT", "the descriptors of all tools are too large together");
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
		if (!T(t) || !E(t, ["target", "name"], ["arguments"])) throw new e("INVALID_REQUEST", "a call has a target, a name and arguments, and nothing else");
		let { timeout: r } = n, i = r === void 0 ? void 0 : Math.round(r * 1e3);
		if (i !== void 0 && !(m(i) && i >= 1e3 && i <= 3e5)) throw new e("INVALID_REQUEST", "a timeout is 1 to 300 seconds");
		return (await this.#t.connected(n.signal)).call("tools.call", {
			target: t.target,
			name: t.name,
			arguments: t.arguments ?? {},
			...i === void 0 ? {} : { timeoutMs: i }
		}, {
			timeoutMs: (i ?? 6e4) + Ut,
			signal: n.signal,
			onProgress: n.onProgress
		});
	}
	async list(e, t = {}) {
		return qt(await (await this.#t.connected(t.signal)).call("tools.list", { target: e }, {
			timeoutMs: 41e4,
			signal: t.signal
		}), "tools");
	}
	async ask(t, n, r) {
		let i = await (await this.#t.connected(r)).call(t, n, {
			timeoutMs: Gt,
			signal: r
		});
		if (T(i)) return i;
		throw new e("OUTPUT_INVALID", `the answer to ${t} is no object`);
	}
	async kernelList(e, t, n = {}) {
		return qt(await this.call({
			target: "kernel",
			name: e
		}, n), t);
	}
	chord(e) {
		let { peer: t } = this.#t;
		return t !== null && (t.call("host.chord", { chord: e }, { timeoutMs: Wt }).catch(() => void 0), !0);
	}
	dispose() {
		this.states.dispose(), this.#t.dispose();
	}
	#n() {
		return [...this.#e.values()].map((e) => e.descriptor);
	}
	#r() {
		this.#t.peer !== null && this.#i(this.#t.peer);
	}
	#i(t) {
		t.call("tools.push", { tools: this.#n() }, { timeoutMs: Wt }).catch((t) => {
			t instanceof e && t.code === "ENDPOINT_GONE" || _(t);
		});
	}
	#a(t) {
		switch (t.action) {
			case "ping": return t.respond({});
			case "app.state": return this.states.hear(t.payload), t.respond({});
			case "host.context": {
				let n = Ee(t.payload);
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
		let { name: n, args: r, caller: i } = Jt(t.payload), a = this.#e.get(n);
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
function qt(t, n) {
	if (T(t) && p(t[n])) return t[n];
	throw new e("OUTPUT_INVALID", `the kernel's answer has no list of ${n}`);
}
function Jt(t) {
	if (T(t) && typeof t.name == "string" && T(t.arguments) && T(t.caller)) {
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
// sdk/src/store.ts
var Yt = 524288, Xt = 4;
function Zt(t) {
	let n = (e, n) => t.ask(`store.${e}`, n), r = async (e, r) => {
		let i = await n(e, r);
		return t.states.own(Nt, Y(i, "revision")), i;
	}, i = async (e, t) => Y(await r(e, t), "revision"), a = async (e, t) => {
		let r = await n(e, t);
		if (!p(r.entries)) throw X();
		return r;
	}, o = async (e) => {
		let { blob: t } = await n("blob.read", e);
		if (t === null) return null;
		if (!T(t) || typeof t.size != "number") throw X();
		return {
			data: ce(Y(t, "data")),
			size: t.size,
			revision: Y(t, "revision")
		};
	};
	return {
		put: (e) => i("put", e),
		get: async (e) => {
			let { entry: t } = await n("get", { key: e });
			if (t === null) return null;
			if (!T(t)) throw X();
			return {
				value: t.value,
				revision: Y(t, "revision")
			};
		},
		delete: async (e) => {
			let t = await r("delete", e);
			return {
				revision: Y(t, "revision"),
				deleted: t.deleted === !0
			};
		},
		list: (e = {}) => a("list", e),
		batch: (e) => i("batch", { changes: e }),
		usage: async () => await n("usage", {}),
		putBlob: async ({ data: e, ...t }) => {
			let r = e instanceof Uint8Array ? e : new Uint8Array(e instanceof ArrayBuffer ? e : await e.arrayBuffer()), a = Y(await n("blob.begin", {
				...t,
				size: r.length
			}), "upload");
			try {
				for (let e = 0; e < r.length; e += Yt) await n("blob.append", {
					upload: a,
					offset: e,
					data: se(r.subarray(e, e + Yt))
				});
			} catch (e) {
				throw n("blob.abort", { upload: a }).catch(() => {}), e;
			}
			return i("blob.commit", { upload: a });
		},
		getBlob: async (t) => {
			for (let n = 1;; n++) try {
				let e = await o({ key: t });
				if (e === null) return null;
				let n = new Uint8Array(e.size);
				n.set(e.data);
				for (let r = e.data.length; r < e.size;) {
					let i = await o({
						key: t,
						offset: r,
						ifRevision: e.revision
					});
					if (i === null || i.data.length === 0) throw X();
					n.set(i.data, r), r += i.data.length;
				}
				return n;
			} catch (t) {
				if (!(t instanceof e && t.code === "CONFLICT") || n === Xt) throw t;
			}
		},
		readBlob: async (e, t, n) => (await o({
			key: e,
			offset: t,
			length: n
		}))?.data ?? null,
		deleteBlob: async (e) => {
			let t = await r("blob.delete", e);
			return {
				revision: Y(t, "revision"),
				deleted: t.deleted === !0
			};
		},
		listBlobs: (e = {}) => a("blob.list", e)
	};
}
function Y(e, t) {
	let n = e[t];
	if (typeof n == "string") return n;
	throw X();
}
function X() {
	return new e("OUTPUT_INVALID", "Neutron's answer is not of the form that was expected");
}
// sdk/src/workerShim.ts
function Qt(e) {
	let t = e.Worker;
	t !== void 0 && (e.Worker = class extends t {
		constructor(e, t = {}) {
			let n = new URL(e, location.href);
			if (!/^https?:$/.test(n.protocol)) {
				super(e, t);
				return;
			}
			let r = new Blob([t.type === "module" ? en(n.href) : $t(n.href)], { type: "text/javascript" }), i = URL.createObjectURL(r);
			super(i, t.name === void 0 ? {} : { name: t.name });
		}
	});
}
function $t(e) {
	return `importScripts(${JSON.stringify(e)})`;
}
function en(e) {
	return [
		"const early=[],keep=e=>{early.push(e);e.stopImmediatePropagation()};addEventListener('message',keep);",
		`import(${JSON.stringify(e)}).then(()=>{removeEventListener('message',keep);`,
		"for(const e of early)dispatchEvent(new MessageEvent('message',{data:e.data,ports:[...e.ports]}))},",
		"e=>setTimeout(()=>{throw e}))"
	].join("");
}
// sdk/src/index.ts
var Z = typeof window < "u" && typeof document < "u";
Z && globalThis.origin === "null" && Qt(globalThis);
var Q = new Kt(Z ? window : void 0, Z ? document.documentElement : void 0);
Z && Ht(window, (e) => Q.chord(e));
function tn(e, t, n) {
	Q.expose(e, t, n);
}
function nn(e) {
	return Q.remove(e);
}
function $(e, t) {
	return Q.call(e, t);
}
var rn = Zt(Q);
function an(e, t) {
	return Q.states.publish(e, t);
}
function on(e, t) {
	return Q.states.on(e, t);
}
function sn(e, t) {
	return Q.states.watch(e, t);
}
function cn() {
	return Q.host.context;
}
function ln(e) {
	return Q.host.listen(e);
}
function un() {
	return {
		listApps: (e) => Q.kernelList("apps.list", "apps", e),
		listEndpoints: (e) => Q.kernelList("endpoints.list", "endpoints", e),
		listTools: (e, t) => Q.list(e, t),
		callTool: $
	};
}
export { e as NeutronError, $ as callTool, G as compareRevisions, un as createMsgBusClient, tn as exposeTool, cn as hostContext, on as onAppStateChange, ln as onHostContext, an as publishAppStateChange, nn as removeExposedTool, rn as store, sn as watchState };
