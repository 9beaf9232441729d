package audit

import (
	"slices"
	"time"

	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// run writes what was settled, at most every 100 ms.
func (l *Log) run() {
	defer close(l.done)
	for {
		select {
		case <-l.stop:
			return
		case <-l.wake:
		}
		l.settleDown()
		if err := l.Flush(); err != nil {
			l.log.Error("audit", "err", err)
			// The entries stay; the next settled call, or Close, tries again.
		}
	}
}

// settleDown waits for more entries to write together.
func (l *Log) settleDown() {
	t := time.NewTimer(limit.AuditFlush)
	defer t.Stop()
	select {
	case <-t.C:
	case <-l.stop:
	}
}

// Flush writes every settled entry and shows them to the followers. On a fault
// they stay for the next time.
func (l *Log) Flush() error {
	l.write.Lock()
	defer l.write.Unlock()
	l.mu.Lock()
	records := l.unwritten
	l.unwritten = nil
	lost := l.lost
	l.lost = 0
	l.mu.Unlock()
	if lost > 0 {
		l.log.Warn("audit entries were lost while the disk refused them", "entries", lost)
	}
	if len(records) == 0 {
		return nil
	}
	entries := make([]*linkv1.AuditEntry, len(records))
	for i, r := range records {
		entries[i] = r.Entry()
	}
	err := l.disk.Write(entries)
	if err != nil {
		l.mu.Lock()
		l.unwritten = slices.Concat(records, l.unwritten)
		l.mu.Unlock()
	} else {
		l.show(entries)
	}
	if l.failed != nil {
		l.failed(err)
	}
	return err
}

// Close writes what is left and stops the writer.
func (l *Log) Close() error {
	close(l.stop)
	<-l.done
	return l.Flush()
}
