package install

import (
	"container/list"
	"sync"
)

// cache keeps the files served last, up to a number of bytes in all.
type cache struct {
	mu    sync.Mutex // guards what follows
	max   int64
	used  int64
	order *list.List // of *cached, newest first
	byKey map[cacheKey]*list.Element
}

type cacheKey struct{ hash, name string }

type cached struct {
	key  cacheKey
	body []byte
}

func newCache(max int64) *cache {
	return &cache{max: max, order: list.New(), byKey: make(map[cacheKey]*list.Element)}
}

func (c *cache) get(k cacheKey) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[k]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).body, true
}

func (c *cache) put(k cacheKey, body []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[k]; ok || int64(len(body)) > c.max {
		return
	}
	c.byKey[k] = c.order.PushFront(&cached{k, body})
	for c.used += int64(len(body)); c.used > c.max; {
		c.drop(c.order.Back())
	}
}

// forget drops every file of a package.
func (c *cache) forget(hash string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; {
		next := e.Next()
		if e.Value.(*cached).key.hash == hash {
			c.drop(e)
		}
		e = next
	}
}

func (c *cache) drop(e *list.Element) {
	f := c.order.Remove(e).(*cached)
	delete(c.byKey, f.key)
	c.used -= int64(len(f.body))
}
