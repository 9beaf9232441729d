package bus

// Slots counts the endpoints that hold a slot, rightly or not.
func (b *Bus) Slots() int {
	b.table.mu.Lock()
	defer b.table.mu.Unlock()
	return len(b.table.slots)
}
