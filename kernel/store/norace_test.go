//go:build !race

package store_test

const killsByDefault = 60
