package appdata_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"neutron/kernel/appdata"
	"neutron/kernel/store/floor"
)

// benchValue is a note of usual length, as JSON.
const benchValue = `{"title":"Roadmap of the quarter","tags":["plans","work"],"text":"` +
	`What we said on Monday: the importer first, then the search, then everything that nobody asked for. ` +
	`Ask again on Friday whether the importer is still the first. Bring numbers, not adjectives."}`

func put(d *appdata.Data, n int64) error {
	done := make(chan error, 1)
	d.Do(appdata.Action{
		UID: 1, Name: "store.put", Payload: fmt.Appendf(nil, `{"key":"note/%06d","value":%s}`, n%10_000, benchValue),
		Done: func(_ []byte, err error) { done <- err },
	})
	return <-done
}

// BenchmarkPut compares an acknowledged put, alone and among 64 writers, with a
// bare bbolt update of the same bytes on the same disk. Each sample is taken
// beside one of the floor, and the medians are compared, so that a busy machine
// is busy for both.
func BenchmarkPut(b *testing.B) {
	bare, err := floor.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = bare.Close() })
	d, _ := opened(b)
	var n atomic.Int64
	timed := func(f func() error) time.Duration {
		start := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	barePut := func() error { return bare.Put(fmt.Appendf(nil, "note/%06d", n.Add(1)%10_000), []byte(benchValue)) }
	b.Run("alone", func(b *testing.B) {
		var floors, ours []time.Duration
		for range b.N {
			floors = append(floors, timed(barePut))
			ours = append(ours, timed(func() error { return put(d, n.Add(1)) }))
		}
		b.ReportMetric(ratio(ours, floors), "×bare")
	})
	b.Run("64writers", func(b *testing.B) {
		const writers, each = 64, 10
		var floors, ours []time.Duration
		for range b.N {
			// What as many updates would take one after the other, as bbolt makes them.
			floors = append(floors, timed(barePut)*writers*each)
			ours = append(ours, timed(func() error {
				failed := make(chan error, writers)
				for range writers {
					go func() {
						for range each {
							if err := put(d, n.Add(1)); err != nil {
								failed <- err
								return
							}
						}
						failed <- nil
					}()
				}
				for range writers {
					if err := <-failed; err != nil {
						return err
					}
				}
				return nil
			}))
		}
		b.ReportMetric(ratio(floors, ours), "×throughput")
	})
}

// ratio is the median of a over the median of b.
func ratio(a, b []time.Duration) float64 {
	slices.Sort(a)
	slices.Sort(b)
	return float64(a[len(a)/2]) / float64(b[len(b)/2])
}
