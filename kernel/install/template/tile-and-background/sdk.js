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
function _(e) {
	re?.(e);
}
var v = MessagePort.prototype, ie = v.postMessage, ae = v.start, oe = v.close, se = v.addEventListener, ce = v.removeEventListener, y = Function.prototype.call, b = y.bind(y);
function le(e, t) {
	b(ie, e, t);
}
function ue(e, t) {
	let n = (e) => t(() => e.data);
	return b(se, e, "message", n), b(ae, e), () => {
		b(ce, e, "message", n), b(oe, e);
	};
}
// src/port/json.ts
var x = 1 << 20, de = 65536, fe = 2e5, pe = 2e4, me = 1e-308, he = /\p{Surrogate}/u, S = (t) => {
	throw new e("INVALID_REQUEST", t);
};
function C(t, n) {
	T(t, {
		nodes: 0,
		trail: []
	});
	let r = s(t);
	if (r.length > n || r.length * 3 > n && w(r) > n) throw new e("LIMIT", `larger than ${n} bytes`);
	return r;
}
function w(e) {
	let t = e.length;
	for (let n = 0; n < e.length; n++) {
		let r = e.charCodeAt(n);
		r < 128 || (t += r < 2048 || r >= 55296 && r <= 57343 ? 1 : 2);
	}
	return t;
}
function T(e, t) {
	switch (++t.nodes > 2e5 && S(`more than ${fe} values`), typeof e) {
		case "boolean": return;
		case "string": return E(e);
		case "number":
			e - e !== 0 && S("a number is not finite"), e !== 0 && e < me && e > -1e-308 && S("a number is too small to write");
			return;
		case "object":
			e !== null && ge(e, t);
			return;
		default: S(`${typeof e} is not JSON`);
	}
}
function E(e) {
	he.test(e) && S("a string holds half a surrogate pair");
}
function ge(e, t) {
	t.trail.length >= 64 && S(t.trail.includes(e) ? "an object holds itself" : "nested deeper than 64 levels"), t.trail.push(e), p(e) ? _e(e, t) : ve(e, t), t.trail.pop();
}
function _e(e, t) {
	d(e) !== ee && S("an array is an instance of a class");
	let n = u(e);
	n.length !== e.length + 1 && S("an array has holes or members with names");
	for (let r = 0; r < e.length; r++) {
		let i = f(e, n[r]);
		i !== void 0 && "value" in i || S("an array has a computed member"), T(i?.value, t);
	}
}
function ve(e, t) {
	let n = d(e);
	n !== h && n !== null && S("an object is an instance of a class");
	let r = u(e);
	r.length > 2e4 && S(`an object has more than ${pe} members`);
	for (let n of r) {
		if (typeof n != "string") return S("an object has a member named by a symbol");
		n === "__proto__" && S("a member is named \"__proto__\""), E(n);
		let r = f(e, n);
		if (r === void 0 || !r.enumerable || !("value" in r)) return S("an object has a hidden or computed member");
		T(r.value, t);
	}
}
function D(e) {
	return typeof e == "object" && !!e && !p(e);
}
function O(e, t, n = []) {
	let r = l(e);
	for (let e of r) if (!t.includes(e) && !n.includes(e)) return !1;
	for (let e of t) if (!r.includes(e)) return !1;
	return !0;
}
// src/port/context.ts
function ye(e) {
	if (!D(e) || !O(e, ["theme"])) return null;
	let { theme: t } = e;
	return t === "light" || t === "dark" ? { theme: t } : null;
}
// src/port/handshake.ts
var be = "neutron:msgbus:ready", xe = /^[A-Za-z0-9_-]{16,128}$/;
function Se(e) {
	return D(e) && O(e, ["type", "version"]) && e.type === "neutron:msgbus:probe" && e.version === 1;
}
function Ce(e) {
	return !D(e) || !O(e, [
		"type",
		"version",
		"sessionId"
	]) || e.type !== "neutron:msgbus:connect" || e.version !== 1 ? null : typeof e.sessionId == "string" && xe.test(e.sessionId) ? e.sessionId : null;
}
function we(e, t) {
	let n = e.parent;
	if (n === e) return () => {};
	let r = !1, i = () => n.postMessage({
		type: be,
		version: 1
	}, "*"), a = (e) => {
		if (e.source !== n) return;
		if (Se(e.data)) {
			r || i();
			return;
		}
		let a = Ce(e.data), o = e.ports;
		if (a === null || o.length !== 1) for (let e of o) e.close();
		else r = !0, t(o[0], a);
	};
	return e.addEventListener("message", a), queueMicrotask(i), () => e.removeEventListener("message", a);
}
// src/port/envelope.ts
var Te = 2 ** 53 - 1, k = { type: "malformed" }, Ee = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, De = /^[A-Za-z0-9_-]{16,128}$/;
function A(e) {
	return m(e) && e >= 1;
}
function Oe(e) {
	if (!D(e) || !A(e.id)) return k;
	switch (e.type) {
		case "exec": return O(e, [
			"type",
			"id",
			"payload"
		]) && ke(e.payload) ? e : {
			type: "malformed",
			answer: e.id
		};
		case "response": return O(e, [
			"type",
			"id",
			"ok"
		]) || O(e, [
			"type",
			"id",
			"error"
		]) && je(e.error) ? e : k;
		case "progress": return O(e, [
			"type",
			"id",
			"value"
		]) ? e : k;
		case "cancel": return O(e, ["type", "id"]) ? e : k;
		default: return k;
	}
}
function ke(e) {
	return D(e) && O(e, ["action", "payload"], ["context"]) && typeof e.action == "string" && e.action.length <= 64 && Ee.test(e.action) && (!("context" in e) || Ae(e.context));
}
function Ae(e) {
	if (!D(e) || !O(e, [], ["invocation"])) return !1;
	if (!("invocation" in e)) return !0;
	let t = e.invocation;
	return D(t) && O(t, [
		"id",
		"rootId",
		"capability"
	]) && [
		t.id,
		t.rootId,
		t.capability
	].every((e) => typeof e == "string" && De.test(e));
}
function je(e) {
	return D(e) && O(e, [
		"name",
		"message",
		"code"
	], ["retryAfterMs"]) && typeof e.name == "string" && e.name.length <= 64 && typeof e.message == "string" && e.message.length <= 1e3 && r(e.code) && (!("retryAfterMs" in e) || m(e.retryAfterMs) && e.retryAfterMs >= 0);
}
var Me = class {
	#e;
	#t;
	#n;
	#r = /* @__PURE__ */ new Map();
	#i = /* @__PURE__ */ new Map();
	#a = 0;
	#o = !1;
	constructor(e, t) {
		this.#t = e, this.#e = t, this.#n = ue(e, (e) => this.#l(e));
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
		for (let n of t) j(() => n.sink.error(e));
	}
	open(t, n, r, i, a = this.#s()) {
		if (this.#o) throw new e("ENDPOINT_GONE", "the connection is closed");
		if (!A(a) || this.#r.has(a)) throw new e("INVALID_REQUEST", "the id is in use or no id");
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
				}), e !== void 0 && (this.#r.delete(a), j(() => r.error(e))));
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
			this.#a = this.#a >= Te ? 1 : this.#a + 1;
		while (this.#r.has(this.#a));
		return this.#a;
	}
	#c(e) {
		le(this.#t, e);
	}
	#l(t) {
		if (this.#e.admit?.() === !1) return;
		let n = Oe(t());
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
						this.#e.vouched || C(e, de);
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
		if (this.#r.delete(t), "error" in n) return j(() => r.sink.error(n.error));
		let i;
		try {
			i = C(n.ok, x);
		} catch (t) {
			let n = t instanceof e && t.code === "LIMIT";
			this.#u(n ? "LIMIT" : "INVALID_REQUEST");
			let i = n ? "LIMIT" : "OUTPUT_INVALID";
			return j(() => r.sink.error({
				name: "NeutronError",
				code: i,
				message: t.message
			}));
		}
		j(() => r.sink.ok(n.ok, i));
	}
	#m(e, t) {
		let n = this.#r.get(e);
		if (n === void 0) return this.#u("LATE");
		if (++n.progress > 2e3) return this.#u("LIMIT");
		let r;
		try {
			r = C(t, de);
		} catch {
			return this.#u("LIMIT");
		}
		j(() => n.sink.progress?.(t, r));
	}
};
function j(e) {
	try {
		e();
	} catch (e) {
		_(e);
	}
}
// sdk/src/connection.ts
var Ne = 2e3, Pe = class {
	#e = null;
	#t = /* @__PURE__ */ new Set();
	#n;
	#r;
	#i;
	constructor(e, t, n) {
		this.#n = t, this.#r = n, this.#i = e === void 0 ? () => {} : we(e, (e) => this.#a(e));
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
			}, s = g(Ne, () => {
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
		let t = new Me(e, { exec: (e) => this.#n(e) });
		this.#e = t, this.#r(t);
		for (let e of [...this.#t]) e(t);
	}
}, M = Object.hasOwn, Fe = [
	"null",
	"boolean",
	"number",
	"integer",
	"string",
	"array",
	"object"
];
function Ie(e, t) {
	return new Le(t, N(e)).at(e, "");
}
function N(e) {
	return p(e) ? e.some(N) : D(e) ? M(e, "unevaluatedProperties") || M(e, "unevaluatedItems") || l(e).some((t) => N(e[t])) : !1;
}
var P = (e) => ({
	at: "",
	why: e
}), F = (e, t) => ({
	at: `/${typeof e == "number" ? e : e.replaceAll("~", "~0").replaceAll("/", "~1")}${t.at}`,
	why: t.why
}), Le = class {
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
		if (e === !1) return () => P("nothing is allowed here");
		let n = [], r = (e) => {
			e !== null && n.push(e);
		}, i = (n) => M(e, n) ? this.at(e[n], `${t}/${n}`) : null, a = (n) => (e[n] ?? []).map((e, r) => this.at(e, `${t}/${n}/${r}`)), o = (n) => l(e[n] ?? {}).map((r) => {
			let i = e[n][r];
			return p(i) ? [r, L(i, n)] : [r, this.at(i, `${t}/${n}/${r.replaceAll("~", "~0").replaceAll("/", "~1")}`)];
		}), s = (e) => o(e);
		s("$defs"), s("definitions");
		let c = e.$ref === void 0 ? null : this.#n(e.$ref);
		r(Be(e.type)), M(e, "const") && r(B([e.const])), M(e, "enum") && r(B(e.enum)), r(c);
		for (let e of a("allOf")) r(e);
		r(Ve(a("anyOf"))), r(He(a("oneOf"))), r(Ue(i("not"))), r(We(i("if"), i("then"), i("else"))), r(Ge(e)), r(qe(e)), r(Je([
			...o("dependencies"),
			...s("dependentSchemas"),
			...o("dependentRequired")
		])), r(Ye(e, s("properties"), s("patternProperties"), i("additionalProperties"), i("propertyNames")));
		let u = p(e.items), d = this.dialect === "2020-12", [f, m, h] = [
			a("prefixItems"),
			u ? a("items") : i("items"),
			i("additionalItems")
		];
		p(m) ? r(U(e, m, h)) : r(U(e, d ? f : [], m)), r(Xe(e, i("contains"), d));
		let ee = Re(n, this.tracks, i("unevaluatedProperties"), i("unevaluatedItems"));
		return c !== null && this.dialect === "7" ? c : ee;
	}
	#n(e) {
		let t = decodeURIComponent(e.slice(1)), n;
		return (e, r) => (n ??= this.#e.get(t))(e, r);
	}
};
function Re(e, t, n, r) {
	let [i, a] = e;
	return t ? (t, i) => {
		if (typeof t != "object" || !t) return I(e, t, null);
		let a = /* @__PURE__ */ new Set(), o = I(e, t, a) ?? ze(t, a, n, r);
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
function I(e, t, n) {
	for (let r of e) {
		let e = r(t, n);
		if (e !== null) return e;
	}
	return null;
}
function ze(e, t, n, r) {
	let i = p(e) ? r : n;
	if (i === null) return null;
	let a = p(e) ? e.map((e, t) => t) : l(e);
	for (let n of a) {
		if (t.has(n)) continue;
		let r = i(e[n], null);
		if (r !== null) return F(n, r);
		t.add(n);
	}
	return null;
}
function L(e, t) {
	if (p(e) && e.every((e) => typeof e == "string")) return e;
	throw Error(`${t} is no list of texts`);
}
function R(e, t) {
	let n = e[t];
	if (n === void 0 || typeof n == "number") return n;
	throw Error(`${t} is no number`);
}
function Be(e) {
	if (e === void 0) return null;
	let t = p(e) ? e : [e];
	if (t.length === 0 || !t.every((e) => Fe.includes(e))) throw Error("type names no type");
	let n = `not of type ${t.join(" or ")}`, [r] = t;
	if (t.length === 1 && (r === "string" || r === "boolean" || r === "number")) return (e) => typeof e === r ? null : P(n);
	let i = (e) => {
		switch (typeof e) {
			case "number": return t.includes("number") || e % 1 == 0 && t.includes("integer");
			case "object": return t.includes(e === null ? "null" : p(e) ? "array" : "object");
			default: return t.includes(typeof e);
		}
	};
	return (e) => i(e) ? null : P(n);
}
function z(e) {
	return p(e) ? `[${e.map(z).join(",")}]` : D(e) ? `{${l(e).sort().map((t) => `${s(t)}:${z(e[t])}`).join(",")}}` : s(e);
}
function B(e) {
	if (!p(e)) throw Error("enum is no list");
	let t = new Set(e.filter((e) => typeof e != "object" || !e)), n = new Set(e.filter((e) => typeof e == "object" && !!e).map(z)), r = "not one of the allowed values";
	return (e) => typeof e != "object" || !e ? t.has(e) ? null : P(r) : n.size > 0 && n.has(z(e)) ? null : P(r);
}
function Ve(e) {
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
function He(e) {
	return e.length === 0 ? null : (t, n) => {
		let r = null, i = 0;
		for (let a of e) {
			let e = a(t, n);
			if (e === null ? i++ : r ??= e, i > 1) return P("matches more than one of the alternatives");
		}
		return i === 1 ? null : r;
	};
}
function Ue(e) {
	return e && ((t) => e(t, null) === null ? P("matches what it must not match") : null);
}
function We(e, t, n) {
	return e && ((r, i) => e(r, i) === null ? t?.(r, i) ?? null : n?.(r, i) ?? null);
}
function Ge(e) {
	let [t, n] = [R(e, "minimum"), R(e, "maximum")], [r, i, a] = [
		R(e, "exclusiveMinimum"),
		R(e, "exclusiveMaximum"),
		R(e, "multipleOf")
	];
	if (a !== void 0 && a <= 0) throw Error("multipleOf is not above zero");
	return [
		t,
		n,
		r,
		i,
		a
	].every((e) => e === void 0) ? null : (e) => typeof e == "number" ? t !== void 0 && e < t ? P(`less than ${t}`) : n !== void 0 && e > n ? P(`greater than ${n}`) : r !== void 0 && e <= r ? P(`not greater than ${r}`) : i !== void 0 && e >= i ? P(`not less than ${i}`) : a === void 0 || Ke(e, a) ? null : P(`no multiple of ${a}`) : null;
}
function Ke(e, t) {
	let [n, r] = V(e), [i, a] = V(t), o = BigInt(Math.abs(r - a));
	return r >= a ? n * 10n ** o % i == 0n : n % (i * 10n ** o) == 0n;
}
function V(e) {
	let [t = "", n = "0"] = String(Math.abs(e)).split("e"), [r = "", i = ""] = t.split(".");
	return [BigInt(r + i), Number(n) - i.length];
}
function qe(e) {
	let [t, n] = [R(e, "minLength"), R(e, "maxLength")], r = e.pattern === void 0 ? null : new RegExp(e.pattern, "u");
	return t === void 0 && n === void 0 && r === null ? null : (e) => typeof e == "string" ? n !== void 0 && e.length > n && H(e) > n ? P(`longer than ${n} characters`) : t !== void 0 && (e.length < t || e.length < 2 * t && H(e) < t) ? P(`shorter than ${t} characters`) : r === null || r.test(e) ? null : P("does not match its pattern") : null;
}
function H(e) {
	let t = e.length;
	for (let n = 0; n < e.length; n++) (e.charCodeAt(n) & 64512) == 56320 && t--;
	return t;
}
function Je(e) {
	return e.length === 0 ? null : (t, n) => {
		if (!D(t)) return null;
		for (let [r, i] of e) if (M(t, r)) {
			if (typeof i == "function") {
				let e = i(t, n);
				if (e !== null) return e;
			} else for (let e of i) if (!M(t, e)) return P(`has ${r} without ${e}`);
		}
		return null;
	};
}
function Ye(e, t, n, r, i) {
	let a = e.required === void 0 ? [] : L(e.required, "required"), [o = 0, s = Infinity] = [R(e, "minProperties"), R(e, "maxProperties")], c = new Map(t), u = n.map(([e, t]) => [new RegExp(e, "u"), t]), d = c.size > 0 || u.length > 0 || r !== null || i !== null;
	if (!d && a.length === 0 && o === 0 && s === Infinity) return null;
	let f = (e, t, n) => {
		let i = c.get(e), a = i !== void 0, o = i === void 0 ? null : i(t, null);
		for (let [n, r] of u) n.test(e) && (a = !0, o ??= r(t, null));
		return !a && r !== null && (o = r(t, null)), (a || r !== null) && n?.add(e), o;
	};
	return (e, t) => {
		if (!D(e)) return null;
		for (let t of a) if (!M(e, t)) return P(`has no ${t}`);
		let n = l(e);
		if (n.length < o) return P(`has fewer than ${o} members`);
		if (n.length > s) return P(`has more than ${s} members`);
		if (!d) return null;
		for (let r of n) {
			let n = i?.(r, null) ?? f(r, e[r], t);
			if (n !== null) return F(r, n);
		}
		return null;
	};
}
function U(e, t, n) {
	let [r = 0, i = Infinity] = [R(e, "minItems"), R(e, "maxItems")], a = e.uniqueItems === !0;
	return t.length === 0 && n === null && !a && r === 0 && i === Infinity ? null : (e, o) => {
		if (!p(e)) return null;
		if (e.length < r) return P(`has fewer than ${r} items`);
		if (e.length > i) return P(`has more than ${i} items`);
		let s = n === null ? Math.min(t.length, e.length) : e.length;
		for (let r = 0; r < s; r++) {
			let i = (t[r] ?? n)(e[r], null);
			if (i !== null) return F(r, i);
			o?.add(r);
		}
		return a && new Set(e.map(z)).size < e.length ? P("has equal items") : null;
	};
}
function Xe(e, t, n) {
	let [r = 1, i = Infinity] = [R(e, "minContains"), R(e, "maxContains")];
	return t === null ? null : (e, a) => {
		if (!p(e)) return null;
		let o = 0;
		return e.forEach((e, r) => {
			t(e, null) === null && (o++, n && a?.add(r));
		}), o < r ? P(`has fewer than ${r} items that it must contain`) : o > i ? P(`has more than ${i} items of a kind`) : null;
	};
}
// sdk/src/schema.ts
var Ze = 32768, Qe = 2e3, $e = 20, W = 256, G = 4096, et = 256, tt = new Map([
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
var nt = /* @__PURE__ */ new Map([
	["http://json-schema.org/draft/2020-12/schema", "2020-12"],
	["http://json-schema.org/draft/2019-09/schema", "2019-09"],
	["http://json-schema.org/draft-07/schema", "7"]
]);
function rt(e) {
	let t = c(it(e)), n = new ct(D(t) ? at(t.$schema) : "2020-12"), r = n.schema(t, "", 1);
	n.follow();
	let i;
	try {
		i = Ie(r, n.draft);
	} catch (e) {
		throw q("#", e.message.split("\n")[0] ?? "");
	}
	return (e) => {
		let t = i(e, null);
		return t === null ? null : `#${t.at}: ${t.why}`;
	};
}
function it(e) {
	try {
		return C(e, Ze);
	} catch (e) {
		throw q("#", e.message);
	}
}
function at(e) {
	if (e === void 0) return "2020-12";
	let t = typeof e == "string" ? e.replace(/^https:/, "http:").replace(/#$/, "") : "", n = nt.get(t);
	if (n === void 0) throw q("#/$schema", "a dialect other than draft-07, 2019-09 and 2020-12");
	return n;
}
function q(t, n) {
	return new e("SCHEMA_INVALID", `schema at ${t}: ${n}`);
}
function ot(e, t) {
	if (typeof e == "string" && (e === "#" || e.startsWith("#/"))) try {
		return decodeURIComponent(e.slice(1));
	} catch {}
	throw q(t, "leads out of the schema; only # and #/… are followed");
}
function st(e) {
	return e.replaceAll("~", "~0").replaceAll("/", "~1");
}
var ct = class {
	draft;
	#e = 0;
	#t = /* @__PURE__ */ new Set();
	#n = [];
	constructor(e) {
		this.draft = e;
	}
	schema(e, t, n) {
		if (this.#s(t, n), this.#t.add(t), typeof e == "boolean") return e;
		if (!D(e)) throw q(t || "#", "neither an object nor true or false");
		let r = l(e);
		if (r.length > W) throw q(t, "too many keywords");
		let i = {};
		for (let a of r) {
			let r = tt.get(a) ?? (a.startsWith("x-") ? "note" : void 0);
			if (r === void 0) throw q(t || "#", `the keyword "${a.slice(0, 64)}" is not supported`);
			let o = this.#r(a, r, e[a], `${t}/${st(a)}`, n);
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
				if (this.#o(n, r, i), e === "pattern" && this.#l(n, r), e === "$ref" && this.#n.push([r, ot(n, r)]), e === "multipleOf" && n === 0) throw q(r, "is zero");
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
		if (!D(t) || l(t).length > W) throw q(n, `not an object of at most ${W} schemas`);
		let i = {};
		for (let a of l(t)) {
			let o = t[a];
			this.#c(a, n), e === "patternProperties" && this.#l(a, n), e === "dependencies" && p(o) ? (this.#o(o, n, r), i[a] = o) : i[a] = this.schema(o, `${n}/${st(a)}`, r + 1);
		}
		return i;
	}
	#o(e, t, n) {
		if (this.#s(t, n), typeof e == "string") this.#c(e, t);
		else if (p(e)) for (let r of e) this.#o(r, t, n + 1);
		else if (D(e)) {
			if (l(e).length > W) throw q(t, "too many members");
			for (let r of l(e)) this.#c(r, t), this.#o(e[r], t, n + 1);
		}
	}
	#s(e, t) {
		if (t > $e) throw q(e, "nested too deeply");
		if (++this.#e > Qe) throw q(e, `more than ${Qe} values`);
	}
	#c(e, t) {
		if (e.length > G && [...e].length > G) throw q(t, `a text of more than ${G} characters`);
	}
	#l(e, t) {
		if (typeof e != "string" || e.length > et) throw q(t, `not a pattern of at most ${et} characters`);
		if (/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(e.replace(/\\\\/g, ""))) throw q(t, "a pattern looks around or back, which RE2 cannot");
		try {
			new RegExp(e, "u");
		} catch {
			throw q(t, "not a regular expression");
		}
	}
}, lt = 65536, ut = 120, dt = 1e3, ft = 8, pt = 256, mt = 128, ht = /^[A-Za-z0-9_.-]{1,128}$/, gt = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
function _t(e, t) {
	if (typeof e != "string" || !ht.test(e)) throw Y("the name is not 1–128 characters A–Z a–z 0–9 _ . -");
	if (!D(t)) throw Y(`${e}: no options`);
	let n = { name: e };
	for (let e of l(t)) t[e] !== void 0 && (n[e] = t[e]);
	if (n.name = e, !O(n, ["name", "inputSchema"], [
		"title",
		"description",
		"outputSchema",
		"annotations"
	])) throw Y(`${e}: inputSchema is missing, or an option is unknown`);
	let r = c(J(e, () => C(n, lt)));
	if (vt(e, "title", r.title, ut), vt(e, "description", r.description, dt), r.annotations !== void 0) {
		if (!D(r.annotations)) throw Y(`${e}: annotations is no object`);
		X(e, r.annotations, 1);
	}
	return {
		descriptor: r,
		input: J(e, () => rt(r.inputSchema)),
		output: r.outputSchema === void 0 ? () => null : J(e, () => rt(r.outputSchema))
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
function vt(e, t, n, r) {
	if (n === void 0) return;
	if (typeof n != "string") throw Y(`${e}: ${t} is no text`);
	let i = [...n].length;
	if (i < 1 || i > r) throw Y(`${e}: ${t} has not 1 to ${r} characters`);
	if (gt.test(n)) throw Y(`${e}: ${t} has control, bidi or zero-width characters, or more than one line`);
	if (n.normalize("NFC") !== n) throw Y(`${e}: ${t} is not in Unicode normal form C`);
}
function X(e, t, n) {
	if (n > ft) throw Y(`${e}: annotations are nested too deeply`);
	if (typeof t == "string" && t.length > pt) throw Y(`${e}: an annotation is longer than ${pt}`);
	if (p(t)) for (let r of t) X(e, r, n + 1);
	else if (D(t)) for (let r of l(t)) {
		if (r.length > mt) throw Y(`${e}: an annotation's key is longer than ${mt}`);
		X(e, t[r], n + 1);
	}
}
function yt(e, t) {
	return w(s({ tools: e })) <= t;
}
// src/port/chord.ts
var bt = [
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
[...bt.map((e) => `workspace-${e}`), ...bt.map((e) => `move-tile-${e}`)];
function xt({ key: e, code: t, ctrlKey: n, metaKey: r, altKey: i, shiftKey: a }) {
	if (i) return null;
	if (!n && !r) return e === "F6" ? a ? "region-back" : "region" : e === "F8" && !a ? "question" : null;
	let o = /^[a-z]$/i.test(e) ? e.toLowerCase() : /^Key[A-Z]$/.test(t) ? t.slice(3).toLowerCase() : e;
	if (n) return r || a ? null : o === "k" ? "launcher" : e === "." || t === "Period" ? "stop" : null;
	let s = /^Digit([1-9])$/.exec(t)?.[1];
	return s === void 0 ? a ? null : o === "k" ? "launcher" : o === "q" ? "close-tile" : null : a ? `move-tile-${s}` : `workspace-${s}`;
}
// sdk/src/host.ts
var St = class {
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
function Ct(e, t) {
	e.addEventListener("keydown", (e) => {
		let n = e;
		if (!n.isTrusted) return;
		let r = xt(n);
		r !== null && (n.repeat || t(r)) && (n.preventDefault(), n.stopImmediatePropagation());
	}, !0);
}
var wt = 4e5, Tt = 1e4, Et = class {
	#e = /* @__PURE__ */ new Map();
	#t;
	host;
	constructor(e, t) {
		this.host = new St(t), this.#t = new Pe(e, (e) => this.#a(e), (e) => this.#i(e));
	}
	expose(t, n, r) {
		if (typeof r != "function") throw new e("INVALID_REQUEST", `${t}: the handler is no function`);
		let i = _t(t, n), a = [...this.#n().filter((e) => e.name !== t), i.descriptor];
		if (a.length > 64) throw new e("LIMIT", "an endpoint exposes at most 64 tools");
		if (!yt(a, 1048576)) throw new e("LIMIT", "the descriptors of all tools are too large together");
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
		if (!D(t) || !O(t, ["target", "name"], ["arguments"])) throw new e("INVALID_REQUEST", "a call has a target, a name and arguments, and nothing else");
		let { timeout: r } = n, i = r === void 0 ? void 0 : Math.round(r * 1e3);
		if (i !== void 0 && !(m(i) && i >= 1e3 && i <= 3e5)) throw new e("INVALID_REQUEST", "a timeout is 1 to 300 seconds");
		return (await this.#t.connected(n.signal)).call("tools.call", {
			target: t.target,
			name: t.name,
			arguments: t.arguments ?? {},
			...i === void 0 ? {} : { timeoutMs: i }
		}, {
			timeoutMs: (i ?? 6e4) + wt,
			signal: n.signal,
			onProgress: n.onProgress
		});
	}
	async list(e, t = {}) {
		return Dt(await (await this.#t.connected(t.signal)).call("tools.list", { target: e }, {
			timeoutMs: 41e4,
			signal: t.signal
		}), "tools");
	}
	async kernelList(e, t, n = {}) {
		return Dt(await this.call({
			target: "kernel",
			name: e
		}, n), t);
	}
	chord(e) {
		let { peer: t } = this.#t;
		return t !== null && (t.call("host.chord", { chord: e }, { timeoutMs: Tt }).catch(() => void 0), !0);
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
		t.call("tools.push", { tools: this.#n() }, { timeoutMs: Tt }).catch((t) => {
			t instanceof e && t.code === "ENDPOINT_GONE" || _(t);
		});
	}
	#a(t) {
		switch (t.action) {
			case "ping": return t.respond({});
			case "host.context": {
				let n = ye(t.payload);
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
		let { name: n, args: r, caller: i } = Ot(t.payload), a = this.#e.get(n);
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
function Dt(t, n) {
	if (D(t) && p(t[n])) return t[n];
	throw new e("OUTPUT_INVALID", `the kernel's answer has no list of ${n}`);
}
function Ot(t) {
	if (D(t) && typeof t.name == "string" && D(t.arguments) && D(t.caller)) {
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
function kt(e) {
	let t = e.Worker;
	t !== void 0 && (e.Worker = class extends t {
		constructor(e, t = {}) {
			let n = new URL(e, location.href);
			if (!/^https?:$/.test(n.protocol)) {
				super(e, t);
				return;
			}
			let r = new Blob([t.type === "module" ? jt(n.href) : At(n.href)], { type: "text/javascript" }), i = URL.createObjectURL(r);
			super(i, t.name === void 0 ? {} : { name: t.name });
		}
	});
}
function At(e) {
	return `importScripts(${JSON.stringify(e)})`;
}
function jt(e) {
	return [
		"const early=[],keep=e=>{early.push(e);e.stopImmediatePropagation()};addEventListener('message',keep);",
		`import(${JSON.stringify(e)}).then(()=>{removeEventListener('message',keep);`,
		"for(const e of early)dispatchEvent(new MessageEvent('message',{data:e.data,ports:[...e.ports]}))},",
		"e=>setTimeout(()=>{throw e}))"
	].join("");
}
// sdk/src/index.ts
var Z = typeof window < "u" && typeof document < "u";
Z && globalThis.origin === "null" && kt(globalThis);
var Q = new Et(Z ? window : void 0, Z ? document.documentElement : void 0);
Z && Ct(window, (e) => Q.chord(e));
function Mt(e, t, n) {
	Q.expose(e, t, n);
}
function Nt(e) {
	return Q.remove(e);
}
function $(e, t) {
	return Q.call(e, t);
}
function Pt() {
	return Q.host.context;
}
function Ft(e) {
	return Q.host.listen(e);
}
function It() {
	return {
		listApps: (e) => Q.kernelList("apps.list", "apps", e),
		listEndpoints: (e) => Q.kernelList("endpoints.list", "endpoints", e),
		listTools: (e, t) => Q.list(e, t),
		callTool: $
	};
}
export { e as NeutronError, $ as callTool, It as createMsgBusClient, Mt as exposeTool, Pt as hostContext, Ft as onHostContext, Nt as removeExposedTool };
