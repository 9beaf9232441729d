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
var s = JSON.stringify, c = JSON.parse, l = Object.keys, u = Reflect.ownKeys, d = Object.getPrototypeOf, f = Object.getOwnPropertyDescriptor, p = Array.isArray, m = Number.isSafeInteger, h = Object.prototype, g = Array.prototype, ee = globalThis.setTimeout, te = globalThis.clearTimeout;
crypto.getRandomValues.bind(crypto);
var ne = typeof globalThis.reportError == "function" ? globalThis.reportError.bind(globalThis) : void 0;
function _(e, t) {
	let n = ee(t, e);
	return () => te(n);
}
var re = globalThis.btoa, ie = globalThis.atob, ae = String.fromCharCode;
function oe(e) {
	let t = "";
	for (let n = 0; n < e.length; n += 8192) t += ae(...e.subarray(n, n + 8192));
	return re(t);
}
function v(e) {
	let t = ie(e), n = new Uint8Array(t.length);
	for (let e = 0; e < t.length; e++) n[e] = t.charCodeAt(e);
	return n;
}
function y(e) {
	ne?.(e);
}
var b = MessagePort.prototype, se = b.postMessage, ce = b.start, le = b.close, ue = b.addEventListener, de = b.removeEventListener, x = Function.prototype.call, S = x.bind(x);
function C(e, t) {
	S(se, e, t);
}
function fe(e, t) {
	let n = (e) => t(e.data);
	return S(ue, e, "message", n), S(ce, e), () => {
		S(de, e, "message", n), S(le, e);
	};
}
// src/port/json.ts
var w = 1 << 20, pe = 65536, me = 2e5, he = 2e4, T = 1e-308, ge = /\p{Surrogate}/u, E = (t) => {
	throw new e("INVALID_REQUEST", t);
};
function D(t, n) {
	O(t, {
		nodes: 0,
		trail: []
	});
	let r = s(t);
	if (r.length > n || r.length * 3 > n && _e(r) > n) throw new e("LIMIT", `larger than ${n} bytes`);
	return r;
}
function _e(e) {
	let t = e.length;
	for (let n = 0; n < e.length; n++) {
		let r = e.charCodeAt(n);
		r < 128 || (t += r < 2048 || r >= 55296 && r <= 57343 ? 1 : 2);
	}
	return t;
}
function O(e, t) {
	switch (++t.nodes > 2e5 && E(`more than ${me} values`), typeof e) {
		case "boolean": return;
		case "string": return k(e);
		case "number":
			e - e !== 0 && E("a number is not finite"), e !== 0 && e < T && e > -1e-308 && E("a number is too small to write");
			return;
		case "object":
			e !== null && A(e, t);
			return;
		default: E(`${typeof e} is not JSON`);
	}
}
function k(e) {
	ge.test(e) && E("a string holds half a surrogate pair");
}
function A(e, t) {
	t.trail.length >= 64 && E(t.trail.includes(e) ? "an object holds itself" : "nested deeper than 64 levels"), t.trail.push(e), p(e) ? j(e, t) : ve(e, t), t.trail.pop();
}
function j(e, t) {
	d(e) !== g && E("an array is an instance of a class");
	let n = u(e);
	n.length !== e.length + 1 && E("an array has holes or members with names");
	for (let r = 0; r < e.length; r++) {
		let i = f(e, n[r]);
		i !== void 0 && "value" in i || E("an array has a computed member"), O(i?.value, t);
	}
}
function ve(e, t) {
	let n = d(e);
	n !== h && n !== null && E("an object is an instance of a class");
	let r = u(e);
	r.length > 2e4 && E(`an object has more than ${he} members`);
	for (let n of r) {
		if (typeof n != "string") return E("an object has a member named by a symbol");
		n === "__proto__" && E("a member is named \"__proto__\""), k(n);
		let r = f(e, n);
		if (r === void 0 || !r.enumerable || !("value" in r)) return E("an object has a hidden or computed member");
		O(r.value, t);
	}
}
function M(e) {
	return typeof e == "object" && !!e && !p(e);
}
function N(e, t, n = []) {
	let r = l(e);
	for (let e of r) if (!t.includes(e) && !n.includes(e)) return !1;
	for (let e of t) if (!r.includes(e)) return !1;
	return !0;
}
// src/port/context.ts
function ye(e) {
	if (!M(e) || !N(e, ["theme"])) return null;
	let { theme: t } = e;
	return t === "light" || t === "dark" ? { theme: t } : null;
}
// src/port/handshake.ts
var P = "neutron:msgbus:ready", be = /^[A-Za-z0-9_-]{16,128}$/;
function F(e) {
	return M(e) && N(e, ["type", "version"]) && e.type === "neutron:msgbus:probe" && e.version === 1;
}
function I(e) {
	return !M(e) || !N(e, [
		"type",
		"version",
		"sessionId"
	]) || e.type !== "neutron:msgbus:connect" || e.version !== 1 ? null : typeof e.sessionId == "string" && be.test(e.sessionId) ? e.sessionId : null;
}
function xe(e, t) {
	let n = e.parent;
	if (n === e) return () => {};
	let r = !1, i = () => n.postMessage({
		type: P,
		version: 1
	}, "*"), a = (e) => {
		if (e.source !== n) return;
		if (F(e.data)) {
			r || i();
			return;
		}
		let a = I(e.data), o = e.ports;
		if (a === null || o.length !== 1) for (let e of o) e.close();
		else r = !0, t(o[0], a);
	};
	return e.addEventListener("message", a), queueMicrotask(i), () => e.removeEventListener("message", a);
}
// src/port/envelope.ts
var Se = 2 ** 53 - 1, L = { type: "malformed" }, Ce = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, we = /^[A-Za-z0-9_-]{16,128}$/;
function Te(e) {
	return m(e) && e >= 1;
}
function Ee(e) {
	if (!M(e) || !Te(e.id)) return L;
	switch (e.type) {
		case "exec": return N(e, [
			"type",
			"id",
			"payload"
		]) && De(e.payload) ? e : {
			type: "malformed",
			answer: e.id
		};
		case "response": return N(e, [
			"type",
			"id",
			"ok"
		]) || N(e, [
			"type",
			"id",
			"error"
		]) && ke(e.error) ? e : L;
		case "progress": return N(e, [
			"type",
			"id",
			"value"
		]) ? e : L;
		case "cancel": return N(e, ["type", "id"]) ? e : L;
		default: return L;
	}
}
function De(e) {
	return M(e) && N(e, ["action", "payload"], ["context"]) && typeof e.action == "string" && e.action.length <= 64 && Ce.test(e.action) && (!("context" in e) || Oe(e.context));
}
function Oe(e) {
	if (!M(e) || !N(e, [], ["invocation"])) return !1;
	if (!("invocation" in e)) return !0;
	let t = e.invocation;
	return M(t) && N(t, [
		"id",
		"rootId",
		"capability"
	]) && [
		t.id,
		t.rootId,
		t.capability
	].every((e) => typeof e == "string" && we.test(e));
}
function ke(e) {
	return M(e) && N(e, [
		"name",
		"message",
		"code"
	], ["retryAfterMs"]) && typeof e.name == "string" && e.name.length <= 64 && typeof e.message == "string" && e.message.length <= 1e3 && r(e.code) && (!("retryAfterMs" in e) || m(e.retryAfterMs) && e.retryAfterMs >= 0);
}
var Ae = class {
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
		for (let n of t) R(() => n.sink.error(e));
	}
	open(t, n, r, i, a = this.#s()) {
		if (this.#o) throw new e("ENDPOINT_GONE", "the connection is closed");
		if (!Te(a) || this.#r.has(a)) throw new e("INVALID_REQUEST", "the id is in use or no id");
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
				}), e !== void 0 && (this.#r.delete(a), R(() => r.error(e))));
			}
		};
	}
	call(t, n, r) {
		return new Promise((i, a) => {
			let { signal: s, onProgress: c } = r;
			if (s?.aborted) throw new e("CANCELLED", "the call was cancelled before it began");
			D(n, w);
			let l = (e, t) => m.cancel({
				name: "NeutronError",
				code: e,
				message: t
			}), u = () => l("CANCELLED", "the call was cancelled"), d = _(r.timeoutMs, () => l("TIMEOUT", `no answer in ${r.timeoutMs} ms`)), f = () => {
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
			this.#a = this.#a >= Se ? 1 : this.#a + 1;
		while (this.#r.has(this.#a));
		return this.#a;
	}
	#c(e) {
		C(this.#t, e);
	}
	#l(t) {
		if (this.#e.admit?.() === !1) return;
		let n = Ee(t);
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
			o = D(i, w);
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
						this.#e.vouched || D(t, w);
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
						this.#e.vouched || D(e, pe);
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
		if (this.#r.delete(t), "error" in n) return R(() => r.sink.error(n.error));
		let i;
		try {
			i = D(n.ok, w);
		} catch (t) {
			let n = t instanceof e && t.code === "LIMIT";
			this.#u(n ? "LIMIT" : "INVALID_REQUEST");
			let i = n ? "LIMIT" : "OUTPUT_INVALID";
			return R(() => r.sink.error({
				name: "NeutronError",
				code: i,
				message: t.message
			}));
		}
		R(() => r.sink.ok(n.ok, i));
	}
	#m(e, t) {
		let n = this.#r.get(e);
		if (n === void 0) return this.#u("LATE");
		if (n.sink.progress === void 0) return;
		if (++n.progress > 2e3) return this.#u("LIMIT");
		let r;
		try {
			r = D(t, pe);
		} catch {
			return this.#u("LIMIT");
		}
		R(() => n.sink.progress?.(t, r));
	}
};
function R(e) {
	try {
		e();
	} catch (e) {
		y(e);
	}
}
// sdk/src/connection.ts
var je = 2e3, Me = class {
	#e = null;
	#t = /* @__PURE__ */ new Set();
	#n;
	#r;
	#i;
	constructor(e, t, n) {
		this.#n = t, this.#r = n, this.#i = e === void 0 ? () => {} : xe(e, (e) => this.#a(e));
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
			}, s = _(je, () => {
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
		let t = new Ae(e, { exec: (e) => this.#n(e) });
		this.#e = t, this.#r(t);
		for (let e of [...this.#t]) e(t);
	}
};
// node_modules/@cfworker/json-schema/dist/esm/deep-compare-strict.js
function z(e, t) {
	let n = typeof e;
	if (n !== typeof t) return !1;
	let r = Array.isArray(e);
	if (r !== Array.isArray(t)) return !1;
	if (r) {
		let n = e.length;
		if (n !== t.length) return !1;
		for (let r = 0; r < n; r++) if (!z(e[r], t[r])) return !1;
		return !0;
	}
	if (n === "object") {
		if (!e || !t) return e === t;
		let n = Object.keys(e), r = Object.keys(t);
		if (n.length !== r.length) return !1;
		for (let r of n) if (!Object.prototype.hasOwnProperty.call(t, r) || !z(e[r], t[r])) return !1;
		return !0;
	}
	return e === t;
}
// node_modules/@cfworker/json-schema/dist/esm/pointer.js
function B(e) {
	return encodeURI(Ne(e)).replace(/#/g, "%23");
}
function Ne(e) {
	return e.replace(/~/g, "~0").replace(/\//g, "~1");
}
// node_modules/@cfworker/json-schema/dist/esm/dereference.js
var Pe = /^[A-Za-z0-9._~!$&'()*+,;=:@/?-]$/, Fe = /^%[0-9A-Fa-f]{2}$/, Ie = /^[A-Za-z0-9._~-]$/;
function Le(e) {
	let t = "";
	for (let n = 0; n < e.length;) {
		let r = e[n], i = e.slice(n, n + 3);
		if (r === "%" && Fe.test(i)) {
			let e = String.fromCharCode(parseInt(i.slice(1), 16));
			t += Ie.test(e) ? e : i.toUpperCase(), n += 3;
			continue;
		}
		let a = String.fromCodePoint(e.codePointAt(n));
		t += Pe.test(a) ? a : encodeURIComponent(a), n += a.length;
	}
	return t;
}
function Re(e, t) {
	let n = new URL(e, t.href);
	return n.hash = n.hash ? Le(n.hash.slice(1)) : "", n;
}
var ze = {
	prefixItems: !0,
	items: !0,
	allOf: !0,
	anyOf: !0,
	oneOf: !0
}, Be = {
	$defs: !0,
	definitions: !0,
	properties: !0,
	patternProperties: !0,
	dependentSchemas: !0
}, Ve = {
	id: !0,
	$id: !0,
	$ref: !0,
	$schema: !0,
	$anchor: !0,
	$vocabulary: !0,
	$comment: !0,
	default: !0,
	enum: !0,
	const: !0,
	required: !0,
	dependentRequired: !0,
	type: !0,
	maximum: !0,
	minimum: !0,
	exclusiveMaximum: !0,
	exclusiveMinimum: !0,
	multipleOf: !0,
	maxLength: !0,
	minLength: !0,
	pattern: !0,
	format: !0,
	maxItems: !0,
	minItems: !0,
	uniqueItems: !0,
	maxProperties: !0,
	minProperties: !0
}, He = typeof self < "u" && self.location && self.location.origin !== "null" ? new URL(self.location.origin + self.location.pathname + location.search) : new URL("https://github.com/cfworker");
function V(e, t = Object.create(null), n = He, r = "") {
	if (e && typeof e == "object" && !Array.isArray(e)) {
		let i = e.$id || e.id;
		if (i) {
			let a = Re(i, n);
			a.hash.length > 1 ? t[a.href] = e : (a.hash = "", r === "" ? n = a : V(e, t, n));
		}
	} else if (e !== !0 && e !== !1) return t;
	let i = n.href + (r ? "#" + r : "");
	if (t[i] !== void 0 && t[i] !== e) throw Error(`Duplicate schema URI "${i}".`);
	if (t[i] = e, e === !0 || e === !1) return t;
	if (e.__absolute_uri__ === void 0 && Object.defineProperty(e, "__absolute_uri__", {
		enumerable: !1,
		value: i
	}), e.$ref && e.__absolute_ref__ === void 0) {
		let t = Re(e.$ref, n);
		Object.defineProperty(e, "__absolute_ref__", {
			enumerable: !1,
			value: t.href
		});
	}
	if (e.$recursiveRef && e.__absolute_recursive_ref__ === void 0) {
		let t = Re(e.$recursiveRef, n);
		Object.defineProperty(e, "__absolute_recursive_ref__", {
			enumerable: !1,
			value: t.href
		});
	}
	if (e.$anchor) {
		let r = Re("#" + e.$anchor, n);
		t[r.href] = e;
	}
	for (let i in e) {
		if (Ve[i]) continue;
		let a = `${r}/${B(i)}`, o = e[i];
		if (Array.isArray(o)) {
			if (ze[i]) {
				let e = o.length;
				for (let r = 0; r < e; r++) V(o[r], t, n, `${a}/${r}`);
			}
		} else if (Be[i]) for (let e in o) V(o[e], t, n, `${a}/${B(e)}`);
		else V(o, t, n, a);
	}
	return t;
}
// node_modules/@cfworker/json-schema/dist/esm/format.js
var Ue = /^(\d\d\d\d)-(\d\d)-(\d\d)$/, We = [
	0,
	31,
	28,
	31,
	30,
	31,
	30,
	31,
	31,
	30,
	31,
	30,
	31
], Ge = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(z|([+-])(\d\d):(\d\d))?$/i, Ke = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*$/i, qe = /^(?:[a-z][a-z0-9+\-.]*:)?(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'"()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?(?:\?(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i, Je = /^(?:(?:[^\x00-\x20\x7f"<>%\\^`{|}]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?:\.(?:[a-z0-9_]|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?:\.(?:[a-z0-9_]|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?)*\})*$/i, Ye = /^(?:(?:https?|ftp):\/\/)(?:\S+(?::\S*)?@)?(?:(?!10(?:\.\d{1,3}){3})(?!127(?:\.\d{1,3}){3})(?!169\.254(?:\.\d{1,3}){2})(?!192\.168(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z\u{00a1}-\u{ffff}0-9]+-?)*[a-z\u{00a1}-\u{ffff}0-9]+)(?:\.(?:[a-z\u{00a1}-\u{ffff}0-9]+-?)*[a-z\u{00a1}-\u{ffff}0-9]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/[^\s]*)?$/iu, Xe = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, Ze = /^(?:\/(?:[^~/]|~0|~1)*)*$/, Qe = /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i, $e = /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/, et = /^("(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"|[a-z0-9.!#$%&'*+/=?^_`{|}~-]+)@(.+)$/i, tt = (e) => {
	let t = e.match(et);
	if (!t) return !1;
	let n = t[1], r = t[2];
	if (!n || !r || n.length > 64 || r.length > 253 || n[0] !== "\"" && (n[0] === "." || n.endsWith(".") || n.includes(".."))) return !1;
	if (r.startsWith("[") && r.endsWith("]")) {
		let e = r.slice(1, -1);
		return /^ipv6:/i.test(e) ? rt.test(e.slice(5)) : nt.test(e);
	}
	return Ke.test(r);
}, nt = /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)$/, rt = /^((([0-9a-f]{1,4}:){7}([0-9a-f]{1,4}|:))|(([0-9a-f]{1,4}:){6}(:[0-9a-f]{1,4}|((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){5}(((:[0-9a-f]{1,4}){1,2})|:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){4}(((:[0-9a-f]{1,4}){1,3})|((:[0-9a-f]{1,4})?:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){3}(((:[0-9a-f]{1,4}){1,4})|((:[0-9a-f]{1,4}){0,2}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){2}(((:[0-9a-f]{1,4}){1,5})|((:[0-9a-f]{1,4}){0,3}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){1}(((:[0-9a-f]{1,4}){1,6})|((:[0-9a-f]{1,4}){0,4}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(:(((:[0-9a-f]{1,4}){1,7})|((:[0-9a-f]{1,4}){0,5}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:)))$/i, it = (e) => /^P(?:\d+W|(?:(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)))$/.test(e);
function H(e) {
	return e.test.bind(e);
}
var at = {
	date: st,
	time: ct.bind(void 0, !0),
	"date-time": ut,
	duration: it,
	uri: pt,
	"uri-reference": H(qe),
	"uri-template": H(Je),
	url: H(Ye),
	email: tt,
	hostname: H(Ke),
	ipv4: H(nt),
	ipv6: H(rt),
	regex: ht,
	uuid: H(Xe),
	"json-pointer": H(Ze),
	"json-pointer-uri-fragment": H(Qe),
	"relative-json-pointer": H($e)
};
function ot(e) {
	return e % 4 == 0 && (e % 100 != 0 || e % 400 == 0);
}
function st(e) {
	let t = e.match(Ue);
	if (!t) return !1;
	let n = t[1], r = t[2], i = t[3];
	if (!n || !r || !i) return !1;
	let a = +n, o = +r, s = +i, c = o == 2 && ot(a) ? 29 : We[o];
	return o >= 1 && o <= 12 && s >= 1 && c !== void 0 && s <= c;
}
function ct(e, t) {
	let n = t.match(Ge);
	if (!n) return !1;
	let r = n[1], i = n[2], a = n[3];
	if (!r || !i || !a) return !1;
	let o = +r, s = +i, c = +a, l = n[5], u = n[6], d = +(n[7] ?? 0), f = +(n[8] ?? 0);
	if (o > 23 || s > 59 || c > 60 || d > 23 || f > 59 || e && l === void 0) return !1;
	if (c < 60) return !0;
	let p = u === "+" ? 1 : u === "-" ? -1 : 0;
	return (o * 60 + s - p * (d * 60 + f) + 1440) % 1440 == 1439;
}
var lt = /t|\s/i;
function ut(e) {
	let [t, n, r] = e.split(lt);
	return t !== void 0 && n !== void 0 && r === void 0 && st(t) && ct(!0, n);
}
var dt = /\/|:/, ft = /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;
function pt(e) {
	return dt.test(e) && ft.test(e);
}
var mt = /[^\\]\\Z/;
function ht(e) {
	if (mt.test(e)) return !1;
	try {
		return new RegExp(e, "u"), !0;
	} catch {
		return !1;
	}
}
// node_modules/@cfworker/json-schema/dist/esm/ucs2-length.js
function gt(e) {
	let t = 0, n = e.length, r = 0, i;
	for (; r < n;) t++, i = e.charCodeAt(r++), i >= 55296 && i <= 56319 && r < n && (i = e.charCodeAt(r), (i & 64512) == 56320 && r++);
	return t;
}
// node_modules/@cfworker/json-schema/dist/esm/validate.js
function U(e, t) {
	return Object.prototype.hasOwnProperty.call(e, t);
}
function _t(e) {
	let t = Math.abs(e).toString().split("e"), n = t[0], r = t[1] ?? "0", i = n.indexOf("."), a = i === -1 ? 0 : n.length - i - 1;
	return [BigInt(n.replace(".", "")), Number(r) - a];
}
function vt(e, t) {
	if (!Number.isFinite(e) || !Number.isFinite(t) || t <= 0) return !1;
	let [n, r] = _t(e), [i, a] = _t(t), o = r - a;
	return o >= 0 ? n * 10n ** BigInt(o) % i == 0n : n % (i * 10n ** BigInt(-o)) == 0n;
}
function W(e, t, n = "2019-09", r = V(t), i = !0, a = null, o = "#", s = "#", c = Object.create(null)) {
	if (t === !0) return {
		valid: !0,
		errors: []
	};
	if (t === !1) return {
		valid: !1,
		errors: [{
			instanceLocation: o,
			keyword: "false",
			keywordLocation: o,
			error: "False boolean schema."
		}]
	};
	let l = typeof e, u;
	switch (l) {
		case "boolean":
		case "number":
		case "string":
			u = l;
			break;
		case "object":
			u = e === null ? "null" : Array.isArray(e) ? "array" : "object";
			break;
		default: throw Error(`Instances of "${l}" type are not supported.`);
	}
	let { $ref: d, $recursiveRef: f, $recursiveAnchor: p, type: m, const: h, enum: g, required: ee, not: te, anyOf: ne, allOf: _, oneOf: re, if: ie, then: ae, else: oe, format: v, properties: y, patternProperties: b, additionalProperties: se, unevaluatedProperties: ce, minProperties: le, maxProperties: ue, propertyNames: de, dependentRequired: x, dependentSchemas: S, dependencies: C, prefixItems: fe, items: w, additionalItems: pe, unevaluatedItems: me, contains: he, minContains: T, maxContains: ge, minItems: E, maxItems: D, uniqueItems: _e, minimum: O, maximum: k, exclusiveMinimum: A, exclusiveMaximum: j, multipleOf: ve, minLength: M, maxLength: N, pattern: ye, __absolute_ref__: P, __absolute_recursive_ref__: be } = t, F = [];
	if (p === !0 && a === null && (a = t), f === "#") {
		let l = a === null ? r[be] : a, u = `${s}/$recursiveRef`, d = W(e, a === null ? t : a, n, r, i, l, o, u, c);
		d.valid || F.push({
			instanceLocation: o,
			keyword: "$recursiveRef",
			keywordLocation: u,
			error: "A subschema had errors."
		}, ...d.errors);
	}
	if (d !== void 0) {
		let t = r[P || d];
		if (t === void 0) {
			let e = `Unresolved $ref "${d}".`;
			throw P && P !== d && (e += `  Absolute URI "${P}".`), e += `\nKnown schemas:\n- ${Object.keys(r).join("\n- ")}`, Error(e);
		}
		let l = `${s}/$ref`, u = W(e, t, n, r, i, a, o, l, c);
		if (u.valid || F.push({
			instanceLocation: o,
			keyword: "$ref",
			keywordLocation: l,
			error: "A subschema had errors."
		}, ...u.errors), n === "4" || n === "7") return {
			valid: F.length === 0,
			errors: F
		};
	}
	if (Array.isArray(m)) {
		let t = m.length, n = !1;
		for (let r = 0; r < t; r++) if (u === m[r] || m[r] === "integer" && u === "number" && e % 1 == 0 && e === e) {
			n = !0;
			break;
		}
		n || F.push({
			instanceLocation: o,
			keyword: "type",
			keywordLocation: `${s}/type`,
			error: `Instance type "${u}" is invalid. Expected "${m.join("\", \"")}".`
		});
	} else m === "integer" ? (u !== "number" || e % 1 || e !== e) && F.push({
		instanceLocation: o,
		keyword: "type",
		keywordLocation: `${s}/type`,
		error: `Instance type "${u}" is invalid. Expected "${m}".`
	}) : m !== void 0 && u !== m && F.push({
		instanceLocation: o,
		keyword: "type",
		keywordLocation: `${s}/type`,
		error: `Instance type "${u}" is invalid. Expected "${m}".`
	});
	if (h !== void 0 && (u === "object" || u === "array" ? z(e, h) || F.push({
		instanceLocation: o,
		keyword: "const",
		keywordLocation: `${s}/const`,
		error: `Instance does not match ${JSON.stringify(h)}.`
	}) : e !== h && F.push({
		instanceLocation: o,
		keyword: "const",
		keywordLocation: `${s}/const`,
		error: `Instance does not match ${JSON.stringify(h)}.`
	})), g !== void 0 && (u === "object" || u === "array" ? g.some((t) => z(e, t)) || F.push({
		instanceLocation: o,
		keyword: "enum",
		keywordLocation: `${s}/enum`,
		error: `Instance does not match any of ${JSON.stringify(g)}.`
	}) : g.some((t) => e === t) || F.push({
		instanceLocation: o,
		keyword: "enum",
		keywordLocation: `${s}/enum`,
		error: `Instance does not match any of ${JSON.stringify(g)}.`
	})), te !== void 0) {
		let t = `${s}/not`;
		W(e, te, n, r, i, a, o, t).valid && F.push({
			instanceLocation: o,
			keyword: "not",
			keywordLocation: t,
			error: "Instance matched \"not\" schema."
		});
	}
	let I = [];
	if (ne !== void 0) {
		let t = `${s}/anyOf`, l = F.length, u = !1;
		for (let [s, l] of ne.entries()) {
			let d = Object.create(c), f = W(e, l, n, r, i, p === !0 ? a : null, o, `${t}/${s}`, d);
			F.push(...f.errors), u ||= f.valid, f.valid && I.push(d);
		}
		u ? F.length = l : F.splice(l, 0, {
			instanceLocation: o,
			keyword: "anyOf",
			keywordLocation: t,
			error: "Instance does not match any subschemas."
		});
	}
	if (_ !== void 0) {
		let t = `${s}/allOf`, l = F.length, u = !0;
		for (let [s, l] of _.entries()) {
			let d = Object.create(c), f = W(e, l, n, r, i, p === !0 ? a : null, o, `${t}/${s}`, d);
			F.push(...f.errors), u &&= f.valid, f.valid && I.push(d);
		}
		u ? F.length = l : F.splice(l, 0, {
			instanceLocation: o,
			keyword: "allOf",
			keywordLocation: t,
			error: "Instance does not match every subschema."
		});
	}
	if (re !== void 0) {
		let t = `${s}/oneOf`, l = F.length, u = re.filter((s, l) => {
			let u = Object.create(c), d = W(e, s, n, r, i, p === !0 ? a : null, o, `${t}/${l}`, u);
			return F.push(...d.errors), d.valid && I.push(u), d.valid;
		}).length;
		u === 1 ? F.length = l : F.splice(l, 0, {
			instanceLocation: o,
			keyword: "oneOf",
			keywordLocation: t,
			error: `Instance does not match exactly one subschema (${u} matches).`
		});
	}
	if ((u === "object" || u === "array") && Object.assign(c, ...I), ie !== void 0) {
		let t = `${s}/if`, l = Object.create(null);
		if (W(e, ie, n, r, i, a, o, t, l).valid) {
			if (Object.assign(c, l), ae !== void 0) {
				let l = W(e, ae, n, r, i, a, o, `${s}/then`, c);
				l.valid || F.push({
					instanceLocation: o,
					keyword: "if",
					keywordLocation: t,
					error: "Instance does not match \"then\" schema."
				}, ...l.errors);
			}
		} else if (oe !== void 0) {
			let l = W(e, oe, n, r, i, a, o, `${s}/else`, c);
			l.valid || F.push({
				instanceLocation: o,
				keyword: "if",
				keywordLocation: t,
				error: "Instance does not match \"else\" schema."
			}, ...l.errors);
		}
	}
	if (u === "object") {
		if (ee !== void 0) for (let t of ee) U(e, t) || F.push({
			instanceLocation: o,
			keyword: "required",
			keywordLocation: `${s}/required`,
			error: `Instance does not have required property "${t}".`
		});
		let t = Object.keys(e);
		if (le !== void 0 && t.length < le && F.push({
			instanceLocation: o,
			keyword: "minProperties",
			keywordLocation: `${s}/minProperties`,
			error: `Instance does not have at least ${le} properties.`
		}), ue !== void 0 && t.length > ue && F.push({
			instanceLocation: o,
			keyword: "maxProperties",
			keywordLocation: `${s}/maxProperties`,
			error: `Instance does not have at least ${ue} properties.`
		}), de !== void 0) {
			let t = `${s}/propertyNames`;
			for (let s in e) {
				let e = `${o}/${B(s)}`, c = W(s, de, n, r, i, a, e, t);
				c.valid || F.push({
					instanceLocation: o,
					keyword: "propertyNames",
					keywordLocation: t,
					error: `Property name "${s}" does not match schema.`
				}, ...c.errors);
			}
		}
		if (x !== void 0) {
			let t = `${s}/dependantRequired`;
			for (let n in x) if (U(e, n)) {
				let r = x[n];
				for (let i of r) U(e, i) || F.push({
					instanceLocation: o,
					keyword: "dependentRequired",
					keywordLocation: t,
					error: `Instance has "${n}" but does not have "${i}".`
				});
			}
		}
		if (S !== void 0) for (let [t, l] of Object.entries(S)) {
			let u = `${s}/dependentSchemas`;
			if (U(e, t)) {
				let s = W(e, l, n, r, i, a, o, `${u}/${B(t)}`, c);
				s.valid || F.push({
					instanceLocation: o,
					keyword: "dependentSchemas",
					keywordLocation: u,
					error: `Instance has "${t}" but does not match dependant schema.`
				}, ...s.errors);
			}
		}
		if (C !== void 0) {
			let t = `${s}/dependencies`;
			for (let s in C) if (U(e, s)) {
				let c = C[s];
				if (Array.isArray(c)) for (let n of c) U(e, n) || F.push({
					instanceLocation: o,
					keyword: "dependencies",
					keywordLocation: t,
					error: `Instance has "${s}" but does not have "${n}".`
				});
				else {
					let l = W(e, c, n, r, i, a, o, `${t}/${B(s)}`);
					l.valid || F.push({
						instanceLocation: o,
						keyword: "dependencies",
						keywordLocation: t,
						error: `Instance has "${s}" but does not match dependant schema.`
					}, ...l.errors);
				}
			}
		}
		let l = Object.create(null), u = !1;
		if (y !== void 0) {
			let t = `${s}/properties`;
			for (let [s, d] of Object.entries(y)) {
				if (!U(e, s)) continue;
				let f = `${o}/${B(s)}`, p = W(e[s], d, n, r, i, a, f, `${t}/${B(s)}`);
				if (l[s] = !0, p.valid) c[s] = !0;
				else if (u = i, F.push({
					instanceLocation: o,
					keyword: "properties",
					keywordLocation: t,
					error: `Property "${s}" does not match schema.`
				}, ...p.errors), u) break;
			}
		}
		if (!u && b !== void 0) {
			let t = `${s}/patternProperties`;
			for (let [s, d] of Object.entries(b)) {
				let f = new RegExp(s, "u");
				for (let p in e) {
					if (!f.test(p)) continue;
					let m = `${o}/${B(p)}`, h = W(e[p], d, n, r, i, a, m, `${t}/${B(s)}`);
					l[p] = !0, h.valid ? c[p] = !0 : (u = i, F.push({
						instanceLocation: o,
						keyword: "patternProperties",
						keywordLocation: t,
						error: `Property "${p}" matches pattern "${s}" but does not match associated schema.`
					}, ...h.errors));
				}
			}
		}
		if (!u && se !== void 0) {
			let t = `${s}/additionalProperties`;
			for (let s in e) {
				if (l[s]) continue;
				let d = `${o}/${B(s)}`, f = W(e[s], se, n, r, i, a, d, t);
				f.valid ? c[s] = !0 : (u = i, F.push({
					instanceLocation: o,
					keyword: "additionalProperties",
					keywordLocation: t,
					error: `Property "${s}" does not match additional properties schema.`
				}, ...f.errors));
			}
		} else if (!u && ce !== void 0) {
			let t = `${s}/unevaluatedProperties`;
			for (let s in e) if (!c[s]) {
				let l = `${o}/${B(s)}`, u = W(e[s], ce, n, r, i, a, l, t);
				u.valid ? c[s] = !0 : F.push({
					instanceLocation: o,
					keyword: "unevaluatedProperties",
					keywordLocation: t,
					error: `Property "${s}" does not match unevaluated properties schema.`
				}, ...u.errors);
			}
		}
	} else if (u === "array") {
		D !== void 0 && e.length > D && F.push({
			instanceLocation: o,
			keyword: "maxItems",
			keywordLocation: `${s}/maxItems`,
			error: `Array has too many items (${e.length} > ${D}).`
		}), E !== void 0 && e.length < E && F.push({
			instanceLocation: o,
			keyword: "minItems",
			keywordLocation: `${s}/minItems`,
			error: `Array has too few items (${e.length} < ${E}).`
		});
		let t = e.length, l = 0, u = !1;
		if (fe !== void 0) {
			let d = `${s}/prefixItems`, f = Math.min(fe.length, t);
			for (; l < f; l++) {
				let t = W(e[l], fe[l], n, r, i, a, `${o}/${l}`, `${d}/${l}`);
				if (c[l] = !0, !t.valid && (u = i, F.push({
					instanceLocation: o,
					keyword: "prefixItems",
					keywordLocation: d,
					error: "Items did not match schema."
				}, ...t.errors), u)) break;
			}
		}
		if (w !== void 0) {
			let d = `${s}/items`;
			if (Array.isArray(w)) {
				let s = Math.min(w.length, t);
				for (; l < s; l++) {
					let t = W(e[l], w[l], n, r, i, a, `${o}/${l}`, `${d}/${l}`);
					if (c[l] = !0, !t.valid && (u = i, F.push({
						instanceLocation: o,
						keyword: "items",
						keywordLocation: d,
						error: "Items did not match schema."
					}, ...t.errors), u)) break;
				}
			} else for (; l < t; l++) {
				let t = W(e[l], w, n, r, i, a, `${o}/${l}`, d);
				if (c[l] = !0, !t.valid && (u = i, F.push({
					instanceLocation: o,
					keyword: "items",
					keywordLocation: d,
					error: "Items did not match schema."
				}, ...t.errors), u)) break;
			}
			if (!u && pe !== void 0) {
				let d = `${s}/additionalItems`;
				for (; l < t; l++) {
					let t = W(e[l], pe, n, r, i, a, `${o}/${l}`, d);
					c[l] = !0, t.valid || (u = i, F.push({
						instanceLocation: o,
						keyword: "additionalItems",
						keywordLocation: d,
						error: "Items did not match additional items schema."
					}, ...t.errors));
				}
			}
		}
		if (he !== void 0) {
			if (t === 0 && T === void 0) F.push({
				instanceLocation: o,
				keyword: "contains",
				keywordLocation: `${s}/contains`,
				error: "Array is empty. It must contain at least one item matching the schema."
			});
			else if (T !== void 0 && t < T) F.push({
				instanceLocation: o,
				keyword: "minContains",
				keywordLocation: `${s}/minContains`,
				error: `Array has less items (${t}) than minContains (${T}).`
			});
			else {
				let l = `${s}/contains`, u = F.length, d = 0;
				for (let s = 0; s < t; s++) {
					let t = W(e[s], he, n, r, i, a, `${o}/${s}`, l);
					t.valid ? (c[s] = !0, d++) : F.push(...t.errors);
				}
				d >= (T || 0) && (F.length = u), T === void 0 && d === 0 ? F.splice(u, 0, {
					instanceLocation: o,
					keyword: "contains",
					keywordLocation: l,
					error: "Array does not contain item matching schema."
				}) : T !== void 0 && d < T ? F.push({
					instanceLocation: o,
					keyword: "minContains",
					keywordLocation: `${s}/minContains`,
					error: `Array must contain at least ${T} items matching schema. Only ${d} items were found.`
				}) : ge !== void 0 && d > ge && F.push({
					instanceLocation: o,
					keyword: "maxContains",
					keywordLocation: `${s}/maxContains`,
					error: `Array may contain at most ${ge} items matching schema. ${d} items were found.`
				});
			}
		}
		if (!u && me !== void 0) {
			let u = `${s}/unevaluatedItems`;
			for (; l < t; l++) {
				if (c[l]) continue;
				let t = W(e[l], me, n, r, i, a, `${o}/${l}`, u);
				c[l] = !0, t.valid || F.push({
					instanceLocation: o,
					keyword: "unevaluatedItems",
					keywordLocation: u,
					error: "Items did not match unevaluated items schema."
				}, ...t.errors);
			}
		}
		if (_e) for (let n = 0; n < t; n++) {
			let r = e[n], i = typeof r == "object" && !!r;
			for (let a = 0; a < t; a++) {
				if (n === a) continue;
				let t = e[a];
				(r === t || i && typeof t == "object" && t && z(r, t)) && (F.push({
					instanceLocation: o,
					keyword: "uniqueItems",
					keywordLocation: `${s}/uniqueItems`,
					error: `Duplicate items at indexes ${n} and ${a}.`
				}), n = 2 ** 53 - 1, a = 2 ** 53 - 1);
			}
		}
	} else if (u === "number") n === "4" ? (O !== void 0 && (A === !0 && e <= O || e < O) && F.push({
		instanceLocation: o,
		keyword: "minimum",
		keywordLocation: `${s}/minimum`,
		error: `${e} is less than ${A ? "or equal to " : ""} ${O}.`
	}), k !== void 0 && (j === !0 && e >= k || e > k) && F.push({
		instanceLocation: o,
		keyword: "maximum",
		keywordLocation: `${s}/maximum`,
		error: `${e} is greater than ${j ? "or equal to " : ""} ${k}.`
	})) : (O !== void 0 && e < O && F.push({
		instanceLocation: o,
		keyword: "minimum",
		keywordLocation: `${s}/minimum`,
		error: `${e} is less than ${O}.`
	}), k !== void 0 && e > k && F.push({
		instanceLocation: o,
		keyword: "maximum",
		keywordLocation: `${s}/maximum`,
		error: `${e} is greater than ${k}.`
	}), A !== void 0 && e <= A && F.push({
		instanceLocation: o,
		keyword: "exclusiveMinimum",
		keywordLocation: `${s}/exclusiveMinimum`,
		error: `${e} is less than ${A}.`
	}), j !== void 0 && e >= j && F.push({
		instanceLocation: o,
		keyword: "exclusiveMaximum",
		keywordLocation: `${s}/exclusiveMaximum`,
		error: `${e} is greater than or equal to ${j}.`
	})), ve !== void 0 && (vt(e, ve) || F.push({
		instanceLocation: o,
		keyword: "multipleOf",
		keywordLocation: `${s}/multipleOf`,
		error: `${e} is not a multiple of ${ve}.`
	}));
	else if (u === "string") {
		let t = M === void 0 && N === void 0 ? 0 : gt(e);
		M !== void 0 && t < M && F.push({
			instanceLocation: o,
			keyword: "minLength",
			keywordLocation: `${s}/minLength`,
			error: `String is too short (${t} < ${M}).`
		}), N !== void 0 && t > N && F.push({
			instanceLocation: o,
			keyword: "maxLength",
			keywordLocation: `${s}/maxLength`,
			error: `String is too long (${t} > ${N}).`
		}), ye !== void 0 && !new RegExp(ye, "u").test(e) && F.push({
			instanceLocation: o,
			keyword: "pattern",
			keywordLocation: `${s}/pattern`,
			error: "String does not match pattern."
		}), v !== void 0 && at[v] && !at[v](e) && F.push({
			instanceLocation: o,
			keyword: "format",
			keywordLocation: `${s}/format`,
			error: `String does not match format "${v}".`
		});
	}
	return {
		valid: F.length === 0,
		errors: F
	};
}
// node_modules/@cfworker/json-schema/dist/esm/validator.js
var yt = class {
	schema;
	draft;
	shortCircuit;
	lookup;
	constructor(e, t = "2019-09", n = !0) {
		this.schema = e, this.draft = t, this.shortCircuit = n, this.lookup = V(e);
	}
	validate(e) {
		return W(e, this.schema, this.draft, this.lookup, this.shortCircuit);
	}
	addSchema(e, t) {
		t && (e = {
			...e,
			$id: t
		}), V(e, this.lookup);
	}
}, bt = 32768, xt = 2e3, St = 20, G = 256, Ct = 4096, wt = 256, Tt = new Map([
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
var Et = /* @__PURE__ */ new Map([
	["http://json-schema.org/draft/2020-12/schema", "2020-12"],
	["http://json-schema.org/draft/2019-09/schema", "2019-09"],
	["http://json-schema.org/draft-07/schema", "7"]
]);
function Dt(e) {
	let t = c(Ot(e)), n = new Mt(M(t) ? kt(t.$schema) : "2020-12"), r = n.schema(t, "", 1);
	n.follow();
	let i;
	try {
		i = new yt(r, n.draft, !0);
	} catch (e) {
		throw q("#", e.message.split("\n")[0] ?? "");
	}
	return (e) => {
		let t = i.validate(e), n = t.errors[t.errors.length - 1];
		return t.valid ? null : `${n?.instanceLocation ?? "#"}: ${n?.error ?? "does not match"}`;
	};
}
function Ot(e) {
	try {
		return D(e, bt);
	} catch (e) {
		throw q("#", e.message);
	}
}
function kt(e) {
	if (e === void 0) return "2020-12";
	let t = typeof e == "string" ? e.replace(/^https:/, "http:").replace(/#$/, "") : "", n = Et.get(t);
	if (n === void 0) throw q("#/$schema", "a dialect other than draft-07, 2019-09 and 2020-12");
	return n;
}
function q(t, n) {
	return new e("SCHEMA_INVALID", `schema at ${t}: ${n}`);
}
function At(e, t) {
	if (typeof e == "string" && (e === "#" || e.startsWith("#/"))) try {
		return decodeURIComponent(e.slice(1));
	} catch {}
	throw q(t, "leads out of the schema; only # and #/… are followed");
}
function jt(e) {
	return e.replaceAll("~", "~0").replaceAll("/", "~1");
}
var Mt = class {
	draft;
	#e = 0;
	#t = /* @__PURE__ */ new Set();
	#n = [];
	constructor(e) {
		this.draft = e;
	}
	schema(e, t, n) {
		if (this.#s(t, n), this.#t.add(t), typeof e == "boolean") return e;
		if (!M(e)) throw q(t || "#", "neither an object nor true or false");
		let r = l(e);
		if (r.length > G) throw q(t, "too many keywords");
		let i = {};
		for (let a of r) {
			let r = Tt.get(a) ?? (a.startsWith("x-") ? "note" : void 0);
			if (r === void 0) throw q(t || "#", `the keyword "${a.slice(0, 64)}" is not supported`);
			let o = this.#r(a, r, e[a], `${t}/${jt(a)}`, n);
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
				if (this.#o(n, r, i), e === "pattern" && this.#l(n, r), e === "$ref" && this.#n.push([r, At(n, r)]), e === "multipleOf" && n === 0) throw q(r, "is zero");
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
		if (!p(e) || e.length > G) throw q(t, `not a list of at most ${G} schemas`);
		return e.map((e, r) => this.schema(e, `${t}/${r}`, n + 1));
	}
	#a(e, t, n, r) {
		if (!M(t) || l(t).length > G) throw q(n, `not an object of at most ${G} schemas`);
		let i = {};
		for (let a of l(t)) {
			let o = t[a];
			this.#c(a, n), e === "patternProperties" && this.#l(a, n), e === "dependencies" && p(o) ? (this.#o(o, n, r), i[a] = o) : i[a] = this.schema(o, `${n}/${jt(a)}`, r + 1);
		}
		return i;
	}
	#o(e, t, n) {
		if (this.#s(t, n), typeof e == "string") this.#c(e, t);
		else if (p(e)) for (let r of e) this.#o(r, t, n + 1);
		else if (M(e)) {
			if (l(e).length > G) throw q(t, "too many members");
			for (let r of l(e)) this.#c(r, t), this.#o(e[r], t, n + 1);
		}
	}
	#s(e, t) {
		if (t > St) throw q(e, "nested too deeply");
		if (++this.#e > xt) throw q(e, `more than ${xt} values`);
	}
	#c(e, t) {
		if (e.length > Ct && [...e].length > Ct) throw q(t, `a text of more than ${Ct} characters`);
	}
	#l(e, t) {
		if (typeof e != "string" || e.length > wt) throw q(t, `not a pattern of at most ${wt} characters`);
		if (/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(e.replace(/\\\\/g, ""))) throw q(t, "a pattern looks around or back, which RE2 cannot");
		try {
			new RegExp(e, "u");
		} catch {
			throw q(t, "not a regular expression");
		}
	}
}, Nt = 65536, Pt = 120, Ft = 1e3, It = 8, Lt = 256, Rt = 128, zt = /^[A-Za-z0-9_.-]{1,128}$/, Bt = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
function Vt(e, t) {
	if (typeof e != "string" || !zt.test(e)) throw J("the name is not 1–128 characters A–Z a–z 0–9 _ . -");
	if (!M(t)) throw J(`${e}: no options`);
	let n = { name: e };
	for (let e of l(t)) t[e] !== void 0 && (n[e] = t[e]);
	if (n.name = e, !N(n, ["name", "inputSchema"], [
		"title",
		"description",
		"outputSchema",
		"annotations"
	])) throw J(`${e}: inputSchema is missing, or an option is unknown`);
	let r = c(Ht(e, () => D(n, Nt)));
	if (Ut(e, "title", r.title, Pt), Ut(e, "description", r.description, Ft), r.annotations !== void 0) {
		if (!M(r.annotations)) throw J(`${e}: annotations is no object`);
		Wt(e, r.annotations, 1);
	}
	return {
		descriptor: r,
		input: Ht(e, () => Dt(r.inputSchema)),
		output: r.outputSchema === void 0 ? () => null : Ht(e, () => Dt(r.outputSchema))
	};
}
function Ht(e, t) {
	try {
		return t();
	} catch (t) {
		throw J(`${e}: ${t.message}`);
	}
}
function J(t) {
	return new e("SCHEMA_INVALID", t);
}
function Ut(e, t, n, r) {
	if (n === void 0) return;
	if (typeof n != "string") throw J(`${e}: ${t} is no text`);
	let i = [...n].length;
	if (i < 1 || i > r) throw J(`${e}: ${t} has not 1 to ${r} characters`);
	if (Bt.test(n)) throw J(`${e}: ${t} has control, bidi or zero-width characters, or more than one line`);
	if (n.normalize("NFC") !== n) throw J(`${e}: ${t} is not in Unicode normal form C`);
}
function Wt(e, t, n) {
	if (n > It) throw J(`${e}: annotations are nested too deeply`);
	if (typeof t == "string" && t.length > Lt) throw J(`${e}: an annotation is longer than ${Lt}`);
	if (p(t)) for (let r of t) Wt(e, r, n + 1);
	else if (M(t)) for (let r of l(t)) {
		if (r.length > Rt) throw J(`${e}: an annotation's key is longer than ${Rt}`);
		Wt(e, t[r], n + 1);
	}
}
function Gt(e, t) {
	return _e(s({ tools: e })) <= t;
}
// sdk/src/state.ts
var Kt = /^[a-z][a-z0-9_.-]{0,63}$/, qt = /^(?:0|[1-9][0-9]{0,127})$/, Jt = "store", Yt = 1e3, Xt = 5;
function Y(e, t) {
	let [n, r] = [X(e), X(t)];
	return n.length === r.length ? n < r ? -1 : +(n > r) : n.length - r.length;
}
function X(t) {
	let n = `${t}`;
	if (qt.test(n)) return n;
	throw new e("INVALID_REQUEST", "a revision is a whole number of at most 128 digits");
}
function Zt(t) {
	if (typeof t == "string" && Kt.test(t)) return t;
	throw new e("INVALID_REQUEST", "a topic is a lower-case word of at most 64 characters");
}
var Qt = class {
	#e;
	#t = /* @__PURE__ */ new Map();
	#n = /* @__PURE__ */ new Map();
	constructor(e) {
		this.#e = e;
	}
	async publish(t, n) {
		let r = {
			topic: Zt(t),
			revision: X(n)
		};
		if (t === "store") throw new e("INVALID_REQUEST", "Neutron itself tells the changes of the store");
		await this.#e("app.state.publish", r), this.own(t, r.revision);
	}
	own(e, t) {
		for (let n of [...this.#n.get(e) ?? []]) n.announced(t);
	}
	on(e, t) {
		return $t(this.#t, Zt(e), (e) => t(e));
	}
	watch(e, t) {
		let n = new en(t, () => r()), r = $t(this.#n, Zt(e), n);
		return n.connected(), n;
	}
	hear(t) {
		if (!M(t) || !N(t, ["topic", "revision"])) throw new e("INVALID_REQUEST", "app.state has a topic and a revision");
		let { topic: n, revision: r } = t;
		if (typeof n != "string" || typeof r != "string") throw new e("INVALID_REQUEST", "app.state has two strings");
		let i = Object.freeze({
			topic: Zt(n),
			revision: X(r)
		});
		for (let e of [...this.#t.get(n) ?? []]) try {
			e(i);
		} catch (e) {
			y(e);
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
function $t(e, t, n) {
	let r = e.get(t) ?? /* @__PURE__ */ new Set();
	return e.set(t, r.add(n)), () => {
		r.delete(n), r.size === 0 && e.get(t) === r && e.delete(t);
	};
}
var en = class {
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
		return this.#n.add(n), this.#i !== void 0 && tn(() => e(this.#i?.value, X(this.#i?.revision ?? 0))), () => {
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
		Y(e, this.#a) > 0 && (this.#a = e), this.#i !== void 0 && Y(this.#i.revision, e) >= 0 || (this.#c = 0, this.connected());
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
			let e = await this.#e(this.#r.signal), t = X(e.revision);
			if (this.#r.signal.aborted) return;
			if (this.#i === void 0 || Y(t, this.#i.revision) > 0) {
				this.#i = Object.freeze({
					value: e.value,
					revision: t
				});
				for (let n of [...this.#n]) tn(() => n.show(e.value, t));
			}
			Y(t, this.#a) >= 0 ? this.#c = 0 : this.#p();
		} catch (e) {
			if (this.#r.signal.aborted) return;
			for (let t of [...this.#n]) tn(() => t.failed?.(e));
			throw this.#p(), e;
		}
	}
	#p() {
		this.#c >= Xt || this.#s !== null || (this.#l(), this.#l = _(Yt * 2 ** this.#c++, () => this.connected()));
	}
};
function tn(e) {
	try {
		e();
	} catch (e) {
		y(e);
	}
}
// src/port/chord.ts
var nn = [
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
[...nn.map((e) => `workspace-${e}`), ...nn.map((e) => `move-tile-${e}`)];
function rn({ key: e, code: t, ctrlKey: n, metaKey: r, altKey: i, shiftKey: a }) {
	if (i) return null;
	if (!n && !r) return e === "F6" ? a ? "region-back" : "region" : e === "F8" && !a ? "question" : null;
	let o = /^[a-z]$/i.test(e) ? e.toLowerCase() : /^Key[A-Z]$/.test(t) ? t.slice(3).toLowerCase() : e;
	if (n) return r || a ? null : o === "k" ? "launcher" : e === "." || t === "Period" ? "stop" : null;
	let s = /^Digit([1-9])$/.exec(t)?.[1];
	return s === void 0 ? a ? null : o === "k" ? "launcher" : o === "q" ? "close-tile" : null : a ? `move-tile-${s}` : `workspace-${s}`;
}
// sdk/src/host.ts
var an = class {
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
			y(e);
		}
	}
};
function on(e, t) {
	e.addEventListener("keydown", (e) => {
		let n = e;
		if (!n.isTrusted) return;
		let r = rn(n);
		r !== null && (n.repeat || t(r)) && (n.preventDefault(), n.stopImmediatePropagation());
	}, !0);
}
var sn = 4e5, cn = 1e4, ln = 6e4, un = class {
	#e = /* @__PURE__ */ new Map();
	#t;
	states = new Qt((e, t) => this.ask(e, t));
	host;
	constructor(e, t) {
		this.host = new an(t), this.#t = new Me(e, (e) => this.#a(e), (e) => {
			this.#i(e), this.states.connected();
		});
	}
	expose(t, n, r) {
		if (typeof r != "function") throw new e("INVALID_REQUEST", `${t}: the handler is no function`);
		let i = Vt(t, n), a = [...this.#n().filter((e) => e.name !== t), i.descriptor];
		if (a.length > 64) throw new e("LIMIT", "an endpoint exposes at most 64 tools");
		if (!Gt(a, 1048576)) throw new e("LIMIT", "the descriptors of all tools are too large together");
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
		if (!M(t) || !N(t, ["target", "name"], ["arguments"])) throw new e("INVALID_REQUEST", "a call has a target, a name and arguments, and nothing else");
		let { timeout: r } = n, i = r === void 0 ? void 0 : Math.round(r * 1e3);
		if (i !== void 0 && !(m(i) && i >= 1e3 && i <= 3e5)) throw new e("INVALID_REQUEST", "a timeout is 1 to 300 seconds");
		return (await this.#t.connected(n.signal)).call("tools.call", {
			target: t.target,
			name: t.name,
			arguments: t.arguments ?? {},
			...i === void 0 ? {} : { timeoutMs: i }
		}, {
			timeoutMs: (i ?? 6e4) + sn,
			signal: n.signal,
			onProgress: n.onProgress
		});
	}
	async list(e, t = {}) {
		return dn(await (await this.#t.connected(t.signal)).call("tools.list", { target: e }, {
			timeoutMs: 41e4,
			signal: t.signal
		}), "tools");
	}
	async ask(t, n, r) {
		let i = await (await this.#t.connected(r)).call(t, n, {
			timeoutMs: ln,
			signal: r
		});
		if (M(i)) return i;
		throw new e("OUTPUT_INVALID", `the answer to ${t} is no object`);
	}
	async kernelList(e, t, n = {}) {
		return dn(await this.call({
			target: "kernel",
			name: e
		}, n), t);
	}
	chord(e) {
		let { peer: t } = this.#t;
		return t !== null && (t.call("host.chord", { chord: e }, { timeoutMs: cn }).catch(() => void 0), !0);
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
		t.call("tools.push", { tools: this.#n() }, { timeoutMs: cn }).catch((t) => {
			t instanceof e && t.code === "ENDPOINT_GONE" || y(t);
		});
	}
	#a(t) {
		switch (t.action) {
			case "ping": return t.respond({});
			case "app.state": return this.states.hear(t.payload), t.respond({});
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
		let { name: n, args: r, caller: i } = fn(t.payload), a = this.#e.get(n);
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
function dn(t, n) {
	if (M(t) && p(t[n])) return t[n];
	throw new e("OUTPUT_INVALID", `the kernel's answer has no list of ${n}`);
}
function fn(t) {
	if (M(t) && typeof t.name == "string" && M(t.arguments) && M(t.caller)) {
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
var pn = 524288, mn = 4;
function hn(t) {
	let n = (e, n) => t.ask(`store.${e}`, n), r = async (e, r) => {
		let i = await n(e, r);
		return t.states.own(Jt, Z(i, "revision")), i;
	}, i = async (e, t) => Z(await r(e, t), "revision"), a = async (e, t) => {
		let r = await n(e, t);
		if (!p(r.entries)) throw Q();
		return r;
	}, o = async (e) => {
		let { blob: t } = await n("blob.read", e);
		if (t === null) return null;
		if (!M(t) || typeof t.size != "number") throw Q();
		return {
			data: v(Z(t, "data")),
			size: t.size,
			revision: Z(t, "revision")
		};
	};
	return {
		put: (e) => i("put", e),
		get: async (e) => {
			let { entry: t } = await n("get", { key: e });
			if (t === null) return null;
			if (!M(t)) throw Q();
			return {
				value: t.value,
				revision: Z(t, "revision")
			};
		},
		delete: async (e) => {
			let t = await r("delete", e);
			return {
				revision: Z(t, "revision"),
				deleted: t.deleted === !0
			};
		},
		list: (e = {}) => a("list", e),
		batch: (e) => i("batch", { changes: e }),
		usage: async () => await n("usage", {}),
		putBlob: async ({ data: e, ...t }) => {
			let r = e instanceof Uint8Array ? e : new Uint8Array(e instanceof ArrayBuffer ? e : await e.arrayBuffer()), a = Z(await n("blob.begin", {
				...t,
				size: r.length
			}), "upload");
			try {
				for (let e = 0; e < r.length; e += pn) await n("blob.append", {
					upload: a,
					offset: e,
					data: oe(r.subarray(e, e + pn))
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
					if (i === null || i.data.length === 0) throw Q();
					n.set(i.data, r), r += i.data.length;
				}
				return n;
			} catch (t) {
				if (!(t instanceof e && t.code === "CONFLICT") || n === mn) throw t;
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
				revision: Z(t, "revision"),
				deleted: t.deleted === !0
			};
		},
		listBlobs: (e = {}) => a("blob.list", e)
	};
}
function Z(e, t) {
	let n = e[t];
	if (typeof n == "string") return n;
	throw Q();
}
function Q() {
	return new e("OUTPUT_INVALID", "Neutron's answer is not of the form that was expected");
}
// sdk/src/workerShim.ts
function gn(e) {
	let t = e.Worker;
	t !== void 0 && (e.Worker = class extends t {
		constructor(e, t = {}) {
			let n = new URL(e, location.href);
			if (!/^https?:$/.test(n.protocol)) {
				super(e, t);
				return;
			}
			let r = new Blob([t.type === "module" ? vn(n.href) : _n(n.href)], { type: "text/javascript" }), i = URL.createObjectURL(r);
			super(i, t.name === void 0 ? {} : { name: t.name });
		}
	});
}
function _n(e) {
	return `importScripts(${JSON.stringify(e)})`;
}
function vn(e) {
	return [
		"const early=[],keep=e=>{early.push(e);e.stopImmediatePropagation()};addEventListener('message',keep);",
		`import(${JSON.stringify(e)}).then(()=>{removeEventListener('message',keep);`,
		"for(const e of early)dispatchEvent(new MessageEvent('message',{data:e.data,ports:[...e.ports]}))},",
		"e=>setTimeout(()=>{throw e}))"
	].join("");
}
// sdk/src/index.ts
var yn = typeof window < "u" && typeof document < "u";
yn && globalThis.origin === "null" && gn(globalThis);
var $ = new un(yn ? window : void 0, yn ? document.documentElement : void 0);
yn && on(window, (e) => $.chord(e));
function bn(e, t, n) {
	$.expose(e, t, n);
}
function xn(e) {
	return $.remove(e);
}
function Sn(e, t) {
	return $.call(e, t);
}
var Cn = hn($);
function wn(e, t) {
	return $.states.publish(e, t);
}
function Tn(e, t) {
	return $.states.on(e, t);
}
function En(e, t) {
	return $.states.watch(e, t);
}
function Dn() {
	return $.host.context;
}
function On(e) {
	return $.host.listen(e);
}
function kn() {
	return {
		listApps: (e) => $.kernelList("apps.list", "apps", e),
		listEndpoints: (e) => $.kernelList("endpoints.list", "endpoints", e),
		listTools: (e, t) => $.list(e, t),
		callTool: Sn
	};
}
export { e as NeutronError, Sn as callTool, Y as compareRevisions, kn as createMsgBusClient, bn as exposeTool, Dn as hostContext, Tn as onAppStateChange, On as onHostContext, wn as publishAppStateChange, xn as removeExposedTool, Cn as store, En as watchState };
