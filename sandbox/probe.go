package sandbox

import _ "embed"

// probeSite is the bridge probe: a page of our own in the cage of an app, with
// a label of its own. It tries every way to the native handler and says what it
// saw; the kernel knows whether anything arrived.
var probeSite = Site{App: "\x00probe"}

const probePath = "index.html"

//go:embed probe/index.html
var probePage []byte
