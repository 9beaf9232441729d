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
function re(e, t) {
	let n = ee(t, e);
	return () => te(n);
}
function _(e) {
	ne?.(e);
}
var v = MessagePort.prototype, ie = v.postMessage, ae = v.start, y = v.close, oe = v.addEventListener, se = v.removeEventListener, ce = Function.prototype.call, b = ce.bind(ce);
function le(e, t) {
	b(ie, e, t);
}
function x(e, t) {
	let n = (e) => t(e.data);
	return b(oe, e, "message", n), b(ae, e), () => {
		b(se, e, "message", n), b(y, e);
	};
}
// src/port/json.ts
var S = 1 << 20, C = 65536, ue = 2e5, de = 2e4, w = 1e-308, T = /\p{Surrogate}/u, E = (t) => {
	throw new e("INVALID_REQUEST", t);
};
function D(t, n) {
	O(t, {
		nodes: 0,
		trail: []
	});
	let r = s(t);
	if (r.length > n || r.length * 3 > n && fe(r) > n) throw new e("LIMIT", `larger than ${n} bytes`);
	return r;
}
function fe(e) {
	let t = e.length;
	for (let n = 0; n < e.length; n++) {
		let r = e.charCodeAt(n);
		r < 128 || (t += r < 2048 || r >= 55296 && r <= 57343 ? 1 : 2);
	}
	return t;
}
function O(e, t) {
	switch (++t.nodes > 2e5 && E(`more than ${ue} values`), typeof e) {
		case "boolean": return;
		case "string": return k(e);
		case "number":
			e - e !== 0 && E("a number is not finite"), e !== 0 && e < w && e > -1e-308 && E("a number is too small to write");
			return;
		case "object":
			e !== null && A(e, t);
			return;
		default: E(`${typeof e} is not JSON`);
	}
}
function k(e) {
	T.test(e) && E("a string holds half a surrogate pair");
}
function A(e, t) {
	t.trail.length >= 64 && E(t.trail.includes(e) ? "an object holds itself" : "nested deeper than 64 levels"), t.trail.push(e), p(e) ? j(e, t) : pe(e, t), t.trail.pop();
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
function pe(e, t) {
	let n = d(e);
	n !== h && n !== null && E("an object is an instance of a class");
	let r = u(e);
	r.length > 2e4 && E(`an object has more than ${de} members`);
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
function P(e) {
	if (!M(e) || !N(e, ["theme"])) return null;
	let { theme: t } = e;
	return t === "light" || t === "dark" ? { theme: t } : null;
}
// src/port/handshake.ts
var F = "neutron:msgbus:ready", me = /^[A-Za-z0-9_-]{16,128}$/;
function I(e) {
	return M(e) && N(e, ["type", "version"]) && e.type === "neutron:msgbus:probe" && e.version === 1;
}
function L(e) {
	return !M(e) || !N(e, [
		"type",
		"version",
		"sessionId"
	]) || e.type !== "neutron:msgbus:connect" || e.version !== 1 ? null : typeof e.sessionId == "string" && me.test(e.sessionId) ? e.sessionId : null;
}
function he(e, t) {
	let n = e.parent;
	if (n === e) return () => {};
	let r = !1, i = () => n.postMessage({
		type: F,
		version: 1
	}, "*"), a = (e) => {
		if (e.source !== n) return;
		if (I(e.data)) {
			r || i();
			return;
		}
		let a = L(e.data), o = e.ports;
		if (a === null || o.length !== 1) for (let e of o) e.close();
		else r = !0, t(o[0], a);
	};
	return e.addEventListener("message", a), queueMicrotask(i), () => e.removeEventListener("message", a);
}
// src/port/envelope.ts
var R = 2 ** 53 - 1, z = { type: "malformed" }, B = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, V = /^[A-Za-z0-9_-]{16,128}$/;
function ge(e) {
	return m(e) && e >= 1;
}
function _e(e) {
	if (!M(e) || !ge(e.id)) return z;
	switch (e.type) {
		case "exec": return N(e, [
			"type",
			"id",
			"payload"
		]) && ve(e.payload) ? e : {
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
		]) && be(e.error) ? e : z;
		case "progress": return N(e, [
			"type",
			"id",
			"value"
		]) ? e : z;
		case "cancel": return N(e, ["type", "id"]) ? e : z;
		default: return z;
	}
}
function ve(e) {
	return M(e) && N(e, ["action", "payload"], ["context"]) && typeof e.action == "string" && e.action.length <= 64 && B.test(e.action) && (!("context" in e) || ye(e.context));
}
function ye(e) {
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
	].every((e) => typeof e == "string" && V.test(e));
}
function be(e) {
	return M(e) && N(e, [
		"name",
		"message",
		"code"
	], ["retryAfterMs"]) && typeof e.name == "string" && e.name.length <= 64 && typeof e.message == "string" && e.message.length <= 1e3 && r(e.code) && (!("retryAfterMs" in e) || m(e.retryAfterMs) && e.retryAfterMs >= 0);
}
var xe = class {
	#e;
	#t;
	#n;
	#r = /* @__PURE__ */ new Map();
	#i = /* @__PURE__ */ new Map();
	#a = 0;
	#o = !1;
	constructor(e, t) {
		this.#t = e, this.#e = t, this.#n = x(e, (e) => this.#l(e));
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
		for (let n of t) H(() => n.sink.error(e));
	}
	open(t, n, r, i, a = this.#s()) {
		if (this.#o) throw new e("ENDPOINT_GONE", "the connection is closed");
		if (!ge(a) || this.#r.has(a)) throw new e("INVALID_REQUEST", "the id is in use or no id");
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
				}), e !== void 0 && (this.#r.delete(a), H(() => r.error(e))));
			}
		};
	}
	call(t, n, r) {
		return new Promise((i, a) => {
			let { signal: s, onProgress: c } = r;
			if (s?.aborted) throw new e("CANCELLED", "the call was cancelled before it began");
			D(n, S);
			let l = (e, t) => m.cancel({
				name: "NeutronError",
				code: e,
				message: t
			}), u = () => l("CANCELLED", "the call was cancelled"), d = re(r.timeoutMs, () => l("TIMEOUT", `no answer in ${r.timeoutMs} ms`)), f = () => {
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
			this.#a = this.#a >= R ? 1 : this.#a + 1;
		while (this.#r.has(this.#a));
		return this.#a;
	}
	#c(e) {
		le(this.#t, e);
	}
	#l(t) {
		if (this.#e.admit?.() === !1) return;
		let n = _e(t);
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
			o = D(i, S);
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
						this.#e.vouched || D(t, S);
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
						this.#e.vouched || D(e, C);
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
		if (this.#r.delete(t), "error" in n) return H(() => r.sink.error(n.error));
		let i;
		try {
			i = D(n.ok, S);
		} catch (t) {
			let n = t instanceof e && t.code === "LIMIT";
			this.#u(n ? "LIMIT" : "INVALID_REQUEST");
			let i = n ? "LIMIT" : "OUTPUT_INVALID";
			return H(() => r.sink.error({
				name: "NeutronError",
				code: i,
				message: t.message
			}));
		}
		H(() => r.sink.ok(n.ok, i));
	}
	#m(e, t) {
		let n = this.#r.get(e);
		if (n === void 0) return this.#u("LATE");
		if (n.sink.progress === void 0) return;
		if (++n.progress > 2e3) return this.#u("LIMIT");
		let r;
		try {
			r = D(t, C);
		} catch {
			return this.#u("LIMIT");
		}
		H(() => n.sink.progress?.(t, r));
	}
};
function H(e) {
	try {
		e();
	} catch (e) {
		_(e);
	}
}
// sdk/src/connection.ts
var Se = 2e3, Ce = class {
	#e = null;
	#t = /* @__PURE__ */ new Set();
	#n;
	#r;
	#i;
	constructor(e, t, n) {
		this.#n = t, this.#r = n, this.#i = e === void 0 ? () => {} : he(e, (e) => this.#a(e));
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
			}, s = re(Se, () => {
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
		let t = new xe(e, { exec: (e) => this.#n(e) });
		this.#e = t, this.#r(t);
		for (let e of [...this.#t]) e(t);
	}
};
// node_modules/@cfworker/json-schema/dist/esm/deep-compare-strict.js
function U(e, t) {
	let n = typeof e;
	if (n !== typeof t) return !1;
	let r = Array.isArray(e);
	if (r !== Array.isArray(t)) return !1;
	if (r) {
		let n = e.length;
		if (n !== t.length) return !1;
		for (let r = 0; r < n; r++) if (!U(e[r], t[r])) return !1;
		return !0;
	}
	if (n === "object") {
		if (!e || !t) return e === t;
		let n = Object.keys(e), r = Object.keys(t);
		if (n.length !== r.length) return !1;
		for (let r of n) if (!Object.prototype.hasOwnProperty.call(t, r) || !U(e[r], t[r])) return !1;
		return !0;
	}
	return e === t;
}
// node_modules/@cfworker/json-schema/dist/esm/pointer.js
function W(e) {
	return encodeURI(we(e)).replace(/#/g, "%23");
}
function we(e) {
	return e.replace(/~/g, "~0").replace(/\//g, "~1");
}
// node_modules/@cfworker/json-schema/dist/esm/dereference.js
var Te = /^[A-Za-z0-9._~!$&'()*+,;=:@/?-]$/, Ee = /^%[0-9A-Fa-f]{2}$/, De = /^[A-Za-z0-9._~-]$/;
function Oe(e) {
	let t = "";
	for (let n = 0; n < e.length;) {
		let r = e[n], i = e.slice(n, n + 3);
		if (r === "%" && Ee.test(i)) {
			let e = String.fromCharCode(parseInt(i.slice(1), 16));
			t += De.test(e) ? e : i.toUpperCase(), n += 3;
			continue;
		}
		let a = String.fromCodePoint(e.codePointAt(n));
		t += Te.test(a) ? a : encodeURIComponent(a), n += a.length;
	}
	return t;
}
function ke(e, t) {
	let n = new URL(e, t.href);
	return n.hash = n.hash ? Oe(n.hash.slice(1)) : "", n;
}
var Ae = {
	prefixItems: !0,
	items: !0,
	allOf: !0,
	anyOf: !0,
	oneOf: !0
}, je = {
	$defs: !0,
	definitions: !0,
	properties: !0,
	patternProperties: !0,
	dependentSchemas: !0
}, Me = {
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
}, Ne = typeof self < "u" && self.location && self.location.origin !== "null" ? new URL(self.location.origin + self.location.pathname + location.search) : new URL("https://github.com/cfworker");
function G(e, t = Object.create(null), n = Ne, r = "") {
	if (e && typeof e == "object" && !Array.isArray(e)) {
		let i = e.$id || e.id;
		if (i) {
			let a = ke(i, n);
			a.hash.length > 1 ? t[a.href] = e : (a.hash = "", r === "" ? n = a : G(e, t, n));
		}
	} else if (e !== !0 && e !== !1) return t;
	let i = n.href + (r ? "#" + r : "");
	if (t[i] !== void 0 && t[i] !== e) throw Error(`Duplicate schema URI "${i}".`);
	if (t[i] = e, e === !0 || e === !1) return t;
	if (e.__absolute_uri__ === void 0 && Object.defineProperty(e, "__absolute_uri__", {
		enumerable: !1,
		value: i
	}), e.$ref && e.__absolute_ref__ === void 0) {
		let t = ke(e.$ref, n);
		Object.defineProperty(e, "__absolute_ref__", {
			enumerable: !1,
			value: t.href
		});
	}
	if (e.$recursiveRef && e.__absolute_recursive_ref__ === void 0) {
		let t = ke(e.$recursiveRef, n);
		Object.defineProperty(e, "__absolute_recursive_ref__", {
			enumerable: !1,
			value: t.href
		});
	}
	if (e.$anchor) {
		let r = ke("#" + e.$anchor, n);
		t[r.href] = e;
	}
	for (let i in e) {
		if (Me[i]) continue;
		let a = `${r}/${W(i)}`, o = e[i];
		if (Array.isArray(o)) {
			if (Ae[i]) {
				let e = o.length;
				for (let r = 0; r < e; r++) G(o[r], t, n, `${a}/${r}`);
			}
		} else if (je[i]) for (let e in o) G(o[e], t, n, `${a}/${W(e)}`);
		else G(o, t, n, a);
	}
	return t;
}
// node_modules/@cfworker/json-schema/dist/esm/format.js
var Pe = /^(\d\d\d\d)-(\d\d)-(\d\d)$/, Fe = [
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
], Ie = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(z|([+-])(\d\d):(\d\d))?$/i, Le = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*$/i, Re = /^(?:[a-z][a-z0-9+\-.]*:)?(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'"()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?(?:\?(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i, ze = /^(?:(?:[^\x00-\x20\x7f"<>%\\^`{|}]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?:\.(?:[a-z0-9_]|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?:\.(?:[a-z0-9_]|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?)*\})*$/i, Be = /^(?:(?:https?|ftp):\/\/)(?:\S+(?::\S*)?@)?(?:(?!10(?:\.\d{1,3}){3})(?!127(?:\.\d{1,3}){3})(?!169\.254(?:\.\d{1,3}){2})(?!192\.168(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z\u{00a1}-\u{ffff}0-9]+-?)*[a-z\u{00a1}-\u{ffff}0-9]+)(?:\.(?:[a-z\u{00a1}-\u{ffff}0-9]+-?)*[a-z\u{00a1}-\u{ffff}0-9]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/[^\s]*)?$/iu, Ve = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, He = /^(?:\/(?:[^~/]|~0|~1)*)*$/, Ue = /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i, We = /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/, Ge = /^("(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"|[a-z0-9.!#$%&'*+/=?^_`{|}~-]+)@(.+)$/i, Ke = (e) => {
	let t = e.match(Ge);
	if (!t) return !1;
	let n = t[1], r = t[2];
	if (!n || !r || n.length > 64 || r.length > 253 || n[0] !== "\"" && (n[0] === "." || n.endsWith(".") || n.includes(".."))) return !1;
	if (r.startsWith("[") && r.endsWith("]")) {
		let e = r.slice(1, -1);
		return /^ipv6:/i.test(e) ? Je.test(e.slice(5)) : qe.test(e);
	}
	return Le.test(r);
}, qe = /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)$/, Je = /^((([0-9a-f]{1,4}:){7}([0-9a-f]{1,4}|:))|(([0-9a-f]{1,4}:){6}(:[0-9a-f]{1,4}|((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){5}(((:[0-9a-f]{1,4}){1,2})|:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){4}(((:[0-9a-f]{1,4}){1,3})|((:[0-9a-f]{1,4})?:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){3}(((:[0-9a-f]{1,4}){1,4})|((:[0-9a-f]{1,4}){0,2}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){2}(((:[0-9a-f]{1,4}){1,5})|((:[0-9a-f]{1,4}){0,3}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){1}(((:[0-9a-f]{1,4}){1,6})|((:[0-9a-f]{1,4}){0,4}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(:(((:[0-9a-f]{1,4}){1,7})|((:[0-9a-f]{1,4}){0,5}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:)))$/i, Ye = (e) => /^P(?:\d+W|(?:(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)))$/.test(e);
function K(e) {
	return e.test.bind(e);
}
var Xe = {
	date: Qe,
	time: $e.bind(void 0, !0),
	"date-time": tt,
	duration: Ye,
	uri: it,
	"uri-reference": K(Re),
	"uri-template": K(ze),
	url: K(Be),
	email: Ke,
	hostname: K(Le),
	ipv4: K(qe),
	ipv6: K(Je),
	regex: ot,
	uuid: K(Ve),
	"json-pointer": K(He),
	"json-pointer-uri-fragment": K(Ue),
	"relative-json-pointer": K(We)
};
function Ze(e) {
	return e % 4 == 0 && (e % 100 != 0 || e % 400 == 0);
}
function Qe(e) {
	let t = e.match(Pe);
	if (!t) return !1;
	let n = t[1], r = t[2], i = t[3];
	if (!n || !r || !i) return !1;
	let a = +n, o = +r, s = +i, c = o == 2 && Ze(a) ? 29 : Fe[o];
	return o >= 1 && o <= 12 && s >= 1 && c !== void 0 && s <= c;
}
function $e(e, t) {
	let n = t.match(Ie);
	if (!n) return !1;
	let r = n[1], i = n[2], a = n[3];
	if (!r || !i || !a) return !1;
	let o = +r, s = +i, c = +a, l = n[5], u = n[6], d = +(n[7] ?? 0), f = +(n[8] ?? 0);
	if (o > 23 || s > 59 || c > 60 || d > 23 || f > 59 || e && l === void 0) return !1;
	if (c < 60) return !0;
	let p = u === "+" ? 1 : u === "-" ? -1 : 0;
	return (o * 60 + s - p * (d * 60 + f) + 1440) % 1440 == 1439;
}
var et = /t|\s/i;
function tt(e) {
	let [t, n, r] = e.split(et);
	return t !== void 0 && n !== void 0 && r === void 0 && Qe(t) && $e(!0, n);
}
var nt = /\/|:/, rt = /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;
function it(e) {
	return nt.test(e) && rt.test(e);
}
var at = /[^\\]\\Z/;
function ot(e) {
	if (at.test(e)) return !1;
	try {
		return new RegExp(e, "u"), !0;
	} catch {
		return !1;
	}
}
// node_modules/@cfworker/json-schema/dist/esm/ucs2-length.js
function st(e) {
	let t = 0, n = e.length, r = 0, i;
	for (; r < n;) t++, i = e.charCodeAt(r++), i >= 55296 && i <= 56319 && r < n && (i = e.charCodeAt(r), (i & 64512) == 56320 && r++);
	return t;
}
// node_modules/@cfworker/json-schema/dist/esm/validate.js
function q(e, t) {
	return Object.prototype.hasOwnProperty.call(e, t);
}
function ct(e) {
	let t = Math.abs(e).toString().split("e"), n = t[0], r = t[1] ?? "0", i = n.indexOf("."), a = i === -1 ? 0 : n.length - i - 1;
	return [BigInt(n.replace(".", "")), Number(r) - a];
}
function lt(e, t) {
	if (!Number.isFinite(e) || !Number.isFinite(t) || t <= 0) return !1;
	let [n, r] = ct(e), [i, a] = ct(t), o = r - a;
	return o >= 0 ? n * 10n ** BigInt(o) % i == 0n : n % (i * 10n ** BigInt(-o)) == 0n;
}
function J(e, t, n = "2019-09", r = G(t), i = !0, a = null, o = "#", s = "#", c = Object.create(null)) {
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
	let { $ref: d, $recursiveRef: f, $recursiveAnchor: p, type: m, const: h, enum: g, required: ee, not: te, anyOf: ne, allOf: re, oneOf: _, if: v, then: ie, else: ae, format: y, properties: oe, patternProperties: se, additionalProperties: ce, unevaluatedProperties: b, minProperties: le, maxProperties: x, propertyNames: S, dependentRequired: C, dependentSchemas: ue, dependencies: de, prefixItems: w, items: T, additionalItems: E, unevaluatedItems: D, contains: fe, minContains: O, maxContains: k, minItems: A, maxItems: j, uniqueItems: pe, minimum: M, maximum: N, exclusiveMinimum: P, exclusiveMaximum: F, multipleOf: me, minLength: I, maxLength: L, pattern: he, __absolute_ref__: R, __absolute_recursive_ref__: z } = t, B = [];
	if (p === !0 && a === null && (a = t), f === "#") {
		let l = a === null ? r[z] : a, u = `${s}/$recursiveRef`, d = J(e, a === null ? t : a, n, r, i, l, o, u, c);
		d.valid || B.push({
			instanceLocation: o,
			keyword: "$recursiveRef",
			keywordLocation: u,
			error: "A subschema had errors."
		}, ...d.errors);
	}
	if (d !== void 0) {
		let t = r[R || d];
		if (t === void 0) {
			let e = `Unresolved $ref "${d}".`;
			throw R && R !== d && (e += `  Absolute URI "${R}".`), e += `\nKnown schemas:\n- ${Object.keys(r).join("\n- ")}`, Error(e);
		}
		let l = `${s}/$ref`, u = J(e, t, n, r, i, a, o, l, c);
		if (u.valid || B.push({
			instanceLocation: o,
			keyword: "$ref",
			keywordLocation: l,
			error: "A subschema had errors."
		}, ...u.errors), n === "4" || n === "7") return {
			valid: B.length === 0,
			errors: B
		};
	}
	if (Array.isArray(m)) {
		let t = m.length, n = !1;
		for (let r = 0; r < t; r++) if (u === m[r] || m[r] === "integer" && u === "number" && e % 1 == 0 && e === e) {
			n = !0;
			break;
		}
		n || B.push({
			instanceLocation: o,
			keyword: "type",
			keywordLocation: `${s}/type`,
			error: `Instance type "${u}" is invalid. Expected "${m.join("\", \"")}".`
		});
	} else m === "integer" ? (u !== "number" || e % 1 || e !== e) && B.push({
		instanceLocation: o,
		keyword: "type",
		keywordLocation: `${s}/type`,
		error: `Instance type "${u}" is invalid. Expected "${m}".`
	}) : m !== void 0 && u !== m && B.push({
		instanceLocation: o,
		keyword: "type",
		keywordLocation: `${s}/type`,
		error: `Instance type "${u}" is invalid. Expected "${m}".`
	});
	if (h !== void 0 && (u === "object" || u === "array" ? U(e, h) || B.push({
		instanceLocation: o,
		keyword: "const",
		keywordLocation: `${s}/const`,
		error: `Instance does not match ${JSON.stringify(h)}.`
	}) : e !== h && B.push({
		instanceLocation: o,
		keyword: "const",
		keywordLocation: `${s}/const`,
		error: `Instance does not match ${JSON.stringify(h)}.`
	})), g !== void 0 && (u === "object" || u === "array" ? g.some((t) => U(e, t)) || B.push({
		instanceLocation: o,
		keyword: "enum",
		keywordLocation: `${s}/enum`,
		error: `Instance does not match any of ${JSON.stringify(g)}.`
	}) : g.some((t) => e === t) || B.push({
		instanceLocation: o,
		keyword: "enum",
		keywordLocation: `${s}/enum`,
		error: `Instance does not match any of ${JSON.stringify(g)}.`
	})), te !== void 0) {
		let t = `${s}/not`;
		J(e, te, n, r, i, a, o, t).valid && B.push({
			instanceLocation: o,
			keyword: "not",
			keywordLocation: t,
			error: "Instance matched \"not\" schema."
		});
	}
	let V = [];
	if (ne !== void 0) {
		let t = `${s}/anyOf`, l = B.length, u = !1;
		for (let [s, l] of ne.entries()) {
			let d = Object.create(c), f = J(e, l, n, r, i, p === !0 ? a : null, o, `${t}/${s}`, d);
			B.push(...f.errors), u ||= f.valid, f.valid && V.push(d);
		}
		u ? B.length = l : B.splice(l, 0, {
			instanceLocation: o,
			keyword: "anyOf",
			keywordLocation: t,
			error: "Instance does not match any subschemas."
		});
	}
	if (re !== void 0) {
		let t = `${s}/allOf`, l = B.length, u = !0;
		for (let [s, l] of re.entries()) {
			let d = Object.create(c), f = J(e, l, n, r, i, p === !0 ? a : null, o, `${t}/${s}`, d);
			B.push(...f.errors), u &&= f.valid, f.valid && V.push(d);
		}
		u ? B.length = l : B.splice(l, 0, {
			instanceLocation: o,
			keyword: "allOf",
			keywordLocation: t,
			error: "Instance does not match every subschema."
		});
	}
	if (_ !== void 0) {
		let t = `${s}/oneOf`, l = B.length, u = _.filter((s, l) => {
			let u = Object.create(c), d = J(e, s, n, r, i, p === !0 ? a : null, o, `${t}/${l}`, u);
			return B.push(...d.errors), d.valid && V.push(u), d.valid;
		}).length;
		u === 1 ? B.length = l : B.splice(l, 0, {
			instanceLocation: o,
			keyword: "oneOf",
			keywordLocation: t,
			error: `Instance does not match exactly one subschema (${u} matches).`
		});
	}
	if ((u === "object" || u === "array") && Object.assign(c, ...V), v !== void 0) {
		let t = `${s}/if`, l = Object.create(null);
		if (J(e, v, n, r, i, a, o, t, l).valid) {
			if (Object.assign(c, l), ie !== void 0) {
				let l = J(e, ie, n, r, i, a, o, `${s}/then`, c);
				l.valid || B.push({
					instanceLocation: o,
					keyword: "if",
					keywordLocation: t,
					error: "Instance does not match \"then\" schema."
				}, ...l.errors);
			}
		} else if (ae !== void 0) {
			let l = J(e, ae, n, r, i, a, o, `${s}/else`, c);
			l.valid || B.push({
				instanceLocation: o,
				keyword: "if",
				keywordLocation: t,
				error: "Instance does not match \"else\" schema."
			}, ...l.errors);
		}
	}
	if (u === "object") {
		if (ee !== void 0) for (let t of ee) q(e, t) || B.push({
			instanceLocation: o,
			keyword: "required",
			keywordLocation: `${s}/required`,
			error: `Instance does not have required property "${t}".`
		});
		let t = Object.keys(e);
		if (le !== void 0 && t.length < le && B.push({
			instanceLocation: o,
			keyword: "minProperties",
			keywordLocation: `${s}/minProperties`,
			error: `Instance does not have at least ${le} properties.`
		}), x !== void 0 && t.length > x && B.push({
			instanceLocation: o,
			keyword: "maxProperties",
			keywordLocation: `${s}/maxProperties`,
			error: `Instance does not have at least ${x} properties.`
		}), S !== void 0) {
			let t = `${s}/propertyNames`;
			for (let s in e) {
				let e = `${o}/${W(s)}`, c = J(s, S, n, r, i, a, e, t);
				c.valid || B.push({
					instanceLocation: o,
					keyword: "propertyNames",
					keywordLocation: t,
					error: `Property name "${s}" does not match schema.`
				}, ...c.errors);
			}
		}
		if (C !== void 0) {
			let t = `${s}/dependantRequired`;
			for (let n in C) if (q(e, n)) {
				let r = C[n];
				for (let i of r) q(e, i) || B.push({
					instanceLocation: o,
					keyword: "dependentRequired",
					keywordLocation: t,
					error: `Instance has "${n}" but does not have "${i}".`
				});
			}
		}
		if (ue !== void 0) for (let [t, l] of Object.entries(ue)) {
			let u = `${s}/dependentSchemas`;
			if (q(e, t)) {
				let s = J(e, l, n, r, i, a, o, `${u}/${W(t)}`, c);
				s.valid || B.push({
					instanceLocation: o,
					keyword: "dependentSchemas",
					keywordLocation: u,
					error: `Instance has "${t}" but does not match dependant schema.`
				}, ...s.errors);
			}
		}
		if (de !== void 0) {
			let t = `${s}/dependencies`;
			for (let s in de) if (q(e, s)) {
				let c = de[s];
				if (Array.isArray(c)) for (let n of c) q(e, n) || B.push({
					instanceLocation: o,
					keyword: "dependencies",
					keywordLocation: t,
					error: `Instance has "${s}" but does not have "${n}".`
				});
				else {
					let l = J(e, c, n, r, i, a, o, `${t}/${W(s)}`);
					l.valid || B.push({
						instanceLocation: o,
						keyword: "dependencies",
						keywordLocation: t,
						error: `Instance has "${s}" but does not match dependant schema.`
					}, ...l.errors);
				}
			}
		}
		let l = Object.create(null), u = !1;
		if (oe !== void 0) {
			let t = `${s}/properties`;
			for (let [s, d] of Object.entries(oe)) {
				if (!q(e, s)) continue;
				let f = `${o}/${W(s)}`, p = J(e[s], d, n, r, i, a, f, `${t}/${W(s)}`);
				if (l[s] = !0, p.valid) c[s] = !0;
				else if (u = i, B.push({
					instanceLocation: o,
					keyword: "properties",
					keywordLocation: t,
					error: `Property "${s}" does not match schema.`
				}, ...p.errors), u) break;
			}
		}
		if (!u && se !== void 0) {
			let t = `${s}/patternProperties`;
			for (let [s, d] of Object.entries(se)) {
				let f = new RegExp(s, "u");
				for (let p in e) {
					if (!f.test(p)) continue;
					let m = `${o}/${W(p)}`, h = J(e[p], d, n, r, i, a, m, `${t}/${W(s)}`);
					l[p] = !0, h.valid ? c[p] = !0 : (u = i, B.push({
						instanceLocation: o,
						keyword: "patternProperties",
						keywordLocation: t,
						error: `Property "${p}" matches pattern "${s}" but does not match associated schema.`
					}, ...h.errors));
				}
			}
		}
		if (!u && ce !== void 0) {
			let t = `${s}/additionalProperties`;
			for (let s in e) {
				if (l[s]) continue;
				let d = `${o}/${W(s)}`, f = J(e[s], ce, n, r, i, a, d, t);
				f.valid ? c[s] = !0 : (u = i, B.push({
					instanceLocation: o,
					keyword: "additionalProperties",
					keywordLocation: t,
					error: `Property "${s}" does not match additional properties schema.`
				}, ...f.errors));
			}
		} else if (!u && b !== void 0) {
			let t = `${s}/unevaluatedProperties`;
			for (let s in e) if (!c[s]) {
				let l = `${o}/${W(s)}`, u = J(e[s], b, n, r, i, a, l, t);
				u.valid ? c[s] = !0 : B.push({
					instanceLocation: o,
					keyword: "unevaluatedProperties",
					keywordLocation: t,
					error: `Property "${s}" does not match unevaluated properties schema.`
				}, ...u.errors);
			}
		}
	} else if (u === "array") {
		j !== void 0 && e.length > j && B.push({
			instanceLocation: o,
			keyword: "maxItems",
			keywordLocation: `${s}/maxItems`,
			error: `Array has too many items (${e.length} > ${j}).`
		}), A !== void 0 && e.length < A && B.push({
			instanceLocation: o,
			keyword: "minItems",
			keywordLocation: `${s}/minItems`,
			error: `Array has too few items (${e.length} < ${A}).`
		});
		let t = e.length, l = 0, u = !1;
		if (w !== void 0) {
			let d = `${s}/prefixItems`, f = Math.min(w.length, t);
			for (; l < f; l++) {
				let t = J(e[l], w[l], n, r, i, a, `${o}/${l}`, `${d}/${l}`);
				if (c[l] = !0, !t.valid && (u = i, B.push({
					instanceLocation: o,
					keyword: "prefixItems",
					keywordLocation: d,
					error: "Items did not match schema."
				}, ...t.errors), u)) break;
			}
		}
		if (T !== void 0) {
			let d = `${s}/items`;
			if (Array.isArray(T)) {
				let s = Math.min(T.length, t);
				for (; l < s; l++) {
					let t = J(e[l], T[l], n, r, i, a, `${o}/${l}`, `${d}/${l}`);
					if (c[l] = !0, !t.valid && (u = i, B.push({
						instanceLocation: o,
						keyword: "items",
						keywordLocation: d,
						error: "Items did not match schema."
					}, ...t.errors), u)) break;
				}
			} else for (; l < t; l++) {
				let t = J(e[l], T, n, r, i, a, `${o}/${l}`, d);
				if (c[l] = !0, !t.valid && (u = i, B.push({
					instanceLocation: o,
					keyword: "items",
					keywordLocation: d,
					error: "Items did not match schema."
				}, ...t.errors), u)) break;
			}
			if (!u && E !== void 0) {
				let d = `${s}/additionalItems`;
				for (; l < t; l++) {
					let t = J(e[l], E, n, r, i, a, `${o}/${l}`, d);
					c[l] = !0, t.valid || (u = i, B.push({
						instanceLocation: o,
						keyword: "additionalItems",
						keywordLocation: d,
						error: "Items did not match additional items schema."
					}, ...t.errors));
				}
			}
		}
		if (fe !== void 0) {
			if (t === 0 && O === void 0) B.push({
				instanceLocation: o,
				keyword: "contains",
				keywordLocation: `${s}/contains`,
				error: "Array is empty. It must contain at least one item matching the schema."
			});
			else if (O !== void 0 && t < O) B.push({
				instanceLocation: o,
				keyword: "minContains",
				keywordLocation: `${s}/minContains`,
				error: `Array has less items (${t}) than minContains (${O}).`
			});
			else {
				let l = `${s}/contains`, u = B.length, d = 0;
				for (let s = 0; s < t; s++) {
					let t = J(e[s], fe, n, r, i, a, `${o}/${s}`, l);
					t.valid ? (c[s] = !0, d++) : B.push(...t.errors);
				}
				d >= (O || 0) && (B.length = u), O === void 0 && d === 0 ? B.splice(u, 0, {
					instanceLocation: o,
					keyword: "contains",
					keywordLocation: l,
					error: "Array does not contain item matching schema."
				}) : O !== void 0 && d < O ? B.push({
					instanceLocation: o,
					keyword: "minContains",
					keywordLocation: `${s}/minContains`,
					error: `Array must contain at least ${O} items matching schema. Only ${d} items were found.`
				}) : k !== void 0 && d > k && B.push({
					instanceLocation: o,
					keyword: "maxContains",
					keywordLocation: `${s}/maxContains`,
					error: `Array may contain at most ${k} items matching schema. ${d} items were found.`
				});
			}
		}
		if (!u && D !== void 0) {
			let u = `${s}/unevaluatedItems`;
			for (; l < t; l++) {
				if (c[l]) continue;
				let t = J(e[l], D, n, r, i, a, `${o}/${l}`, u);
				c[l] = !0, t.valid || B.push({
					instanceLocation: o,
					keyword: "unevaluatedItems",
					keywordLocation: u,
					error: "Items did not match unevaluated items schema."
				}, ...t.errors);
			}
		}
		if (pe) for (let n = 0; n < t; n++) {
			let r = e[n], i = typeof r == "object" && !!r;
			for (let a = 0; a < t; a++) {
				if (n === a) continue;
				let t = e[a];
				(r === t || i && typeof t == "object" && t && U(r, t)) && (B.push({
					instanceLocation: o,
					keyword: "uniqueItems",
					keywordLocation: `${s}/uniqueItems`,
					error: `Duplicate items at indexes ${n} and ${a}.`
				}), n = 2 ** 53 - 1, a = 2 ** 53 - 1);
			}
		}
	} else if (u === "number") n === "4" ? (M !== void 0 && (P === !0 && e <= M || e < M) && B.push({
		instanceLocation: o,
		keyword: "minimum",
		keywordLocation: `${s}/minimum`,
		error: `${e} is less than ${P ? "or equal to " : ""} ${M}.`
	}), N !== void 0 && (F === !0 && e >= N || e > N) && B.push({
		instanceLocation: o,
		keyword: "maximum",
		keywordLocation: `${s}/maximum`,
		error: `${e} is greater than ${F ? "or equal to " : ""} ${N}.`
	})) : (M !== void 0 && e < M && B.push({
		instanceLocation: o,
		keyword: "minimum",
		keywordLocation: `${s}/minimum`,
		error: `${e} is less than ${M}.`
	}), N !== void 0 && e > N && B.push({
		instanceLocation: o,
		keyword: "maximum",
		keywordLocation: `${s}/maximum`,
		error: `${e} is greater than ${N}.`
	}), P !== void 0 && e <= P && B.push({
		instanceLocation: o,
		keyword: "exclusiveMinimum",
		keywordLocation: `${s}/exclusiveMinimum`,
		error: `${e} is less than ${P}.`
	}), F !== void 0 && e >= F && B.push({
		instanceLocation: o,
		keyword: "exclusiveMaximum",
		keywordLocation: `${s}/exclusiveMaximum`,
		error: `${e} is greater than or equal to ${F}.`
	})), me !== void 0 && (lt(e, me) || B.push({
		instanceLocation: o,
		keyword: "multipleOf",
		keywordLocation: `${s}/multipleOf`,
		error: `${e} is not a multiple of ${me}.`
	}));
	else if (u === "string") {
		let t = I === void 0 && L === void 0 ? 0 : st(e);
		I !== void 0 && t < I && B.push({
			instanceLocation: o,
			keyword: "minLength",
			keywordLocation: `${s}/minLength`,
			error: `String is too short (${t} < ${I}).`
		}), L !== void 0 && t > L && B.push({
			instanceLocation: o,
			keyword: "maxLength",
			keywordLocation: `${s}/maxLength`,
			error: `String is too long (${t} > ${L}).`
		}), he !== void 0 && !new RegExp(he, "u").test(e) && B.push({
			instanceLocation: o,
			keyword: "pattern",
			keywordLocation: `${s}/pattern`,
			error: "String does not match pattern."
		}), y !== void 0 && Xe[y] && !Xe[y](e) && B.push({
			instanceLocation: o,
			keyword: "format",
			keywordLocation: `${s}/format`,
			error: `String does not match format "${y}".`
		});
	}
	return {
		valid: B.length === 0,
		errors: B
	};
}
// node_modules/@cfworker/json-schema/dist/esm/validator.js
var ut = class {
	schema;
	draft;
	shortCircuit;
	lookup;
	constructor(e, t = "2019-09", n = !0) {
		this.schema = e, this.draft = t, this.shortCircuit = n, this.lookup = G(e);
	}
	validate(e) {
		return J(e, this.schema, this.draft, this.lookup, this.shortCircuit);
	}
	addSchema(e, t) {
		t && (e = {
			...e,
			$id: t
		}), G(e, this.lookup);
	}
}, dt = 32768, ft = 2e3, pt = 20, Y = 256, mt = 4096, ht = 256, gt = new Map([
	...X("note", "$schema $id $comment title description default examples readOnly writeOnly deprecated format contentEncoding contentMediaType"),
	...X("plain", "$ref type enum const required dependentRequired multipleOf minimum exclusiveMinimum maximum exclusiveMaximum"),
	...X("plain", "minLength maxLength pattern minItems maxItems uniqueItems minContains maxContains minProperties maxProperties"),
	...X("one", "additionalProperties additionalItems unevaluatedProperties unevaluatedItems contains propertyNames not if then else"),
	...X("list", "prefixItems allOf anyOf oneOf"),
	...X("map", "properties patternProperties $defs definitions dependentSchemas dependencies"),
	...X("items", "items")
]);
function X(e, t) {
	return t.split(" ").map((t) => [t, e]);
}
var _t = /* @__PURE__ */ new Map([
	["http://json-schema.org/draft/2020-12/schema", "2020-12"],
	["http://json-schema.org/draft/2019-09/schema", "2019-09"],
	["http://json-schema.org/draft-07/schema", "7"]
]);
function vt(e) {
	let t = c(yt(e)), n = new Ct(M(t) ? bt(t.$schema) : "2020-12"), r = n.schema(t, "", 1);
	n.follow();
	let i;
	try {
		i = new ut(r, n.draft, !0);
	} catch (e) {
		throw Z("#", e.message.split("\n")[0] ?? "");
	}
	return (e) => {
		let t = i.validate(e), n = t.errors[t.errors.length - 1];
		return t.valid ? null : `${n?.instanceLocation ?? "#"}: ${n?.error ?? "does not match"}`;
	};
}
function yt(e) {
	try {
		return D(e, dt);
	} catch (e) {
		throw Z("#", e.message);
	}
}
function bt(e) {
	if (e === void 0) return "2020-12";
	let t = typeof e == "string" ? e.replace(/^https:/, "http:").replace(/#$/, "") : "", n = _t.get(t);
	if (n === void 0) throw Z("#/$schema", "a dialect other than draft-07, 2019-09 and 2020-12");
	return n;
}
function Z(t, n) {
	return new e("SCHEMA_INVALID", `schema at ${t}: ${n}`);
}
function xt(e, t) {
	if (typeof e == "string" && (e === "#" || e.startsWith("#/"))) try {
		return decodeURIComponent(e.slice(1));
	} catch {}
	throw Z(t, "leads out of the schema; only # and #/… are followed");
}
function St(e) {
	return e.replaceAll("~", "~0").replaceAll("/", "~1");
}
var Ct = class {
	draft;
	#e = 0;
	#t = /* @__PURE__ */ new Set();
	#n = [];
	constructor(e) {
		this.draft = e;
	}
	schema(e, t, n) {
		if (this.#s(t, n), this.#t.add(t), typeof e == "boolean") return e;
		if (!M(e)) throw Z(t || "#", "neither an object nor true or false");
		let r = l(e);
		if (r.length > Y) throw Z(t, "too many keywords");
		let i = {};
		for (let a of r) {
			let r = gt.get(a) ?? (a.startsWith("x-") ? "note" : void 0);
			if (r === void 0) throw Z(t || "#", `the keyword "${a.slice(0, 64)}" is not supported`);
			let o = this.#r(a, r, e[a], `${t}/${St(a)}`, n);
			o !== void 0 && (i[a] = o);
		}
		return i;
	}
	follow() {
		for (let [e, t] of this.#n) if (!this.#t.has(t)) throw Z(e, "leads to no subschema of this schema");
	}
	#r(e, t, n, r, i) {
		if (this.#c(e, r), e === "$id" && i > 1) throw Z(r, "a subschema has no address of its own");
		switch (t) {
			case "note":
				this.#o(n, r, i);
				return;
			case "plain":
				if (this.#o(n, r, i), e === "pattern" && this.#l(n, r), e === "$ref" && this.#n.push([r, xt(n, r)]), e === "multipleOf" && n === 0) throw Z(r, "is zero");
				return n;
			case "one": return this.schema(n, r, i + 1);
			case "items":
				if (!p(n)) return this.schema(n, r, i + 1);
				if (this.draft === "2020-12") throw Z(r, "a list is prefixItems in the dialect 2020-12");
				return this.#i(n, r, i);
			case "list": return this.#i(n, r, i);
			case "map": return this.#a(e, n, r, i);
		}
	}
	#i(e, t, n) {
		if (!p(e) || e.length > Y) throw Z(t, `not a list of at most ${Y} schemas`);
		return e.map((e, r) => this.schema(e, `${t}/${r}`, n + 1));
	}
	#a(e, t, n, r) {
		if (!M(t) || l(t).length > Y) throw Z(n, `not an object of at most ${Y} schemas`);
		let i = {};
		for (let a of l(t)) {
			let o = t[a];
			this.#c(a, n), e === "patternProperties" && this.#l(a, n), e === "dependencies" && p(o) ? (this.#o(o, n, r), i[a] = o) : i[a] = this.schema(o, `${n}/${St(a)}`, r + 1);
		}
		return i;
	}
	#o(e, t, n) {
		if (this.#s(t, n), typeof e == "string") this.#c(e, t);
		else if (p(e)) for (let r of e) this.#o(r, t, n + 1);
		else if (M(e)) {
			if (l(e).length > Y) throw Z(t, "too many members");
			for (let r of l(e)) this.#c(r, t), this.#o(e[r], t, n + 1);
		}
	}
	#s(e, t) {
		if (t > pt) throw Z(e, "nested too deeply");
		if (++this.#e > ft) throw Z(e, `more than ${ft} values`);
	}
	#c(e, t) {
		if (e.length > mt && [...e].length > mt) throw Z(t, `a text of more than ${mt} characters`);
	}
	#l(e, t) {
		if (typeof e != "string" || e.length > ht) throw Z(t, `not a pattern of at most ${ht} characters`);
		if (/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(e.replace(/\\\\/g, ""))) throw Z(t, "a pattern looks around or back, which RE2 cannot");
		try {
			new RegExp(e, "u");
		} catch {
			throw Z(t, "not a regular expression");
		}
	}
}, wt = 65536, Tt = 120, Et = 1e3, Dt = 8, Ot = 256, kt = 128, At = /^[A-Za-z0-9_.-]{1,128}$/, jt = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
function Mt(e, t) {
	if (typeof e != "string" || !At.test(e)) throw Q("the name is not 1–128 characters A–Z a–z 0–9 _ . -");
	if (!M(t)) throw Q(`${e}: no options`);
	let n = { name: e };
	for (let e of l(t)) t[e] !== void 0 && (n[e] = t[e]);
	if (n.name = e, !N(n, ["name", "inputSchema"], [
		"title",
		"description",
		"outputSchema",
		"annotations"
	])) throw Q(`${e}: inputSchema is missing, or an option is unknown`);
	let r = c(Nt(e, () => D(n, wt)));
	if (Pt(e, "title", r.title, Tt), Pt(e, "description", r.description, Et), r.annotations !== void 0) {
		if (!M(r.annotations)) throw Q(`${e}: annotations is no object`);
		Ft(e, r.annotations, 1);
	}
	return {
		descriptor: r,
		input: Nt(e, () => vt(r.inputSchema)),
		output: r.outputSchema === void 0 ? () => null : Nt(e, () => vt(r.outputSchema))
	};
}
function Nt(e, t) {
	try {
		return t();
	} catch (t) {
		throw Q(`${e}: ${t.message}`);
	}
}
function Q(t) {
	return new e("SCHEMA_INVALID", t);
}
function Pt(e, t, n, r) {
	if (n === void 0) return;
	if (typeof n != "string") throw Q(`${e}: ${t} is no text`);
	let i = [...n].length;
	if (i < 1 || i > r) throw Q(`${e}: ${t} has not 1 to ${r} characters`);
	if (jt.test(n)) throw Q(`${e}: ${t} has control, bidi or zero-width characters, or more than one line`);
	if (n.normalize("NFC") !== n) throw Q(`${e}: ${t} is not in Unicode normal form C`);
}
function Ft(e, t, n) {
	if (n > Dt) throw Q(`${e}: annotations are nested too deeply`);
	if (typeof t == "string" && t.length > Ot) throw Q(`${e}: an annotation is longer than ${Ot}`);
	if (p(t)) for (let r of t) Ft(e, r, n + 1);
	else if (M(t)) for (let r of l(t)) {
		if (r.length > kt) throw Q(`${e}: an annotation's key is longer than ${kt}`);
		Ft(e, t[r], n + 1);
	}
}
function It(e, t) {
	return fe(s({ tools: e })) <= t;
}
// src/port/chord.ts
var Lt = [
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
[...Lt.map((e) => `workspace-${e}`), ...Lt.map((e) => `move-tile-${e}`)];
function Rt({ key: e, code: t, ctrlKey: n, metaKey: r, altKey: i, shiftKey: a }) {
	if (i) return null;
	if (!n && !r) return e === "F6" ? a ? "region-back" : "region" : e === "F8" && !a ? "question" : null;
	let o = /^[a-z]$/i.test(e) ? e.toLowerCase() : /^Key[A-Z]$/.test(t) ? t.slice(3).toLowerCase() : e;
	if (n) return r || a ? null : o === "k" ? "launcher" : e === "." || t === "Period" ? "stop" : null;
	let s = /^Digit([1-9])$/.exec(t)?.[1];
	return s === void 0 ? a ? null : o === "k" ? "launcher" : o === "q" ? "close-tile" : null : a ? `move-tile-${s}` : `workspace-${s}`;
}
// sdk/src/host.ts
var zt = class {
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
function Bt(e, t) {
	e.addEventListener("keydown", (e) => {
		let n = e;
		if (!n.isTrusted) return;
		let r = Rt(n);
		r !== null && (n.repeat || t(r)) && (n.preventDefault(), n.stopImmediatePropagation());
	}, !0);
}
var Vt = 4e5, Ht = 1e4, Ut = class {
	#e = /* @__PURE__ */ new Map();
	#t;
	host;
	constructor(e, t) {
		this.host = new zt(t), this.#t = new Ce(e, (e) => this.#a(e), (e) => this.#i(e));
	}
	expose(t, n, r) {
		if (typeof r != "function") throw new e("INVALID_REQUEST", `${t}: the handler is no function`);
		let i = Mt(t, n), a = [...this.#n().filter((e) => e.name !== t), i.descriptor];
		if (a.length > 64) throw new e("LIMIT", "an endpoint exposes at most 64 tools");
		if (!It(a, 1048576)) throw new e("LIMIT", "the descriptors of all tools are too large together");
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
			timeoutMs: (i ?? 6e4) + Vt,
			signal: n.signal,
			onProgress: n.onProgress
		});
	}
	async list(e, t = {}) {
		return Wt(await (await this.#t.connected(t.signal)).call("tools.list", { target: e }, {
			timeoutMs: 41e4,
			signal: t.signal
		}), "tools");
	}
	async kernelList(e, t, n = {}) {
		return Wt(await this.call({
			target: "kernel",
			name: e
		}, n), t);
	}
	chord(e) {
		let { peer: t } = this.#t;
		return t !== null && (t.call("host.chord", { chord: e }, { timeoutMs: Ht }).catch(() => void 0), !0);
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
		t.call("tools.push", { tools: this.#n() }, { timeoutMs: Ht }).catch((t) => {
			t instanceof e && t.code === "ENDPOINT_GONE" || _(t);
		});
	}
	#a(t) {
		switch (t.action) {
			case "ping": return t.respond({});
			case "host.context": {
				let n = P(t.payload);
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
		let { name: n, args: r, caller: i } = Gt(t.payload), a = this.#e.get(n);
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
function Wt(t, n) {
	if (M(t) && p(t[n])) return t[n];
	throw new e("OUTPUT_INVALID", `the kernel's answer has no list of ${n}`);
}
function Gt(t) {
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
// sdk/src/workerShim.ts
function Kt(e) {
	let t = e.Worker;
	t !== void 0 && (e.Worker = class extends t {
		constructor(e, t = {}) {
			let n = new URL(e, location.href);
			if (!/^https?:$/.test(n.protocol)) {
				super(e, t);
				return;
			}
			let r = new Blob([t.type === "module" ? Jt(n.href) : qt(n.href)], { type: "text/javascript" }), i = URL.createObjectURL(r);
			super(i, t.name === void 0 ? {} : { name: t.name });
		}
	});
}
function qt(e) {
	return `importScripts(${JSON.stringify(e)})`;
}
function Jt(e) {
	return [
		"const early=[],keep=e=>{early.push(e);e.stopImmediatePropagation()};addEventListener('message',keep);",
		`import(${JSON.stringify(e)}).then(()=>{removeEventListener('message',keep);`,
		"for(const e of early)dispatchEvent(new MessageEvent('message',{data:e.data,ports:[...e.ports]}))},",
		"e=>setTimeout(()=>{throw e}))"
	].join("");
}
// sdk/src/index.ts
var Yt = typeof window < "u" && typeof document < "u";
Yt && globalThis.origin === "null" && Kt(globalThis);
var $ = new Ut(Yt ? window : void 0, Yt ? document.documentElement : void 0);
Yt && Bt(window, (e) => $.chord(e));
function Xt(e, t, n) {
	$.expose(e, t, n);
}
function Zt(e) {
	return $.remove(e);
}
function Qt(e, t) {
	return $.call(e, t);
}
function $t() {
	return $.host.context;
}
function en(e) {
	return $.host.listen(e);
}
function tn() {
	return {
		listApps: (e) => $.kernelList("apps.list", "apps", e),
		listEndpoints: (e) => $.kernelList("endpoints.list", "endpoints", e),
		listTools: (e, t) => $.list(e, t),
		callTool: Qt
	};
}
export { e as NeutronError, Qt as callTool, tn as createMsgBusClient, Xt as exposeTool, $t as hostContext, en as onHostContext, Zt as removeExposedTool };
