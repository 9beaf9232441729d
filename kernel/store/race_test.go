//go:build race

package store_test

// The race detector makes a child slow to start and finds nothing in a killed one.
const killsByDefault = 10
