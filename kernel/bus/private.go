package bus

import (
	"regexp"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/appdata"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

const (
	dataPrefix    = "store."
	publishAction = "app.state.publish"
	// dataTopic is where each committed change of what an app keeps is told. Apps
	// cannot publish there.
	dataTopic = "store"
)

// keep takes a store.* action. It holds one of the endpoint's slots like any
// call, but it is no tool: nothing of it is audited or decided, and what it
// reaches is the caller's own. A change is not undone when its call ends early.
func (b *Bus) keep(caller endpoint.Endpoint, e Exec) {
	c := &call{caller: caller, id: e.ID, stamp: e.Stamp, started: time.Now()}
	if !b.table.admit(c) {
		caller.Shell.Respond(caller.Ref, e.ID, nil, fault.New("bus.admit", fault.Busy, string(caller.ID), "").After(limit.BusyRetry))
		return
	}
	b.data.Do(appdata.Action{
		UID: caller.Identity.UID, Holder: holder(caller.Ref), Name: e.Action, Payload: e.Payload,
		Told: func(revision uint64) {
			if _, err := b.states.publish(caller, dataTopic, strconv.FormatUint(revision, 10)); err != nil {
				b.log.Error("a change was not told", "app", caller.Identity.App, "err", err)
			}
		},
		Done: func(ok []byte, err error) { b.settle(c, ok, err, "") },
	})
}

// holder names a connection for what it leaves unfinished.
func holder(ref endpoint.Ref) string {
	return string(ref.Frame) + "/" + strconv.FormatUint(ref.Conn, 10)
}

var (
	topicText    = regexp.MustCompile(`^[a-z][a-z0-9_.-]{0,63}$`)
	revisionText = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,127})$`)
)

// publish takes an app.state.publish: it tells a topic's revision to the other
// live endpoints of the app, and to those that come.
func (b *Bus) publish(caller endpoint.Endpoint, payload []byte) ([]byte, error) {
	const op fault.Op = "bus.publish"
	var topic, revision string
	err := members(payload, limit.PayloadBytes, func(member string, v jsontext.Value) bool {
		switch member {
		case "topic":
			return text(v, &topic)
		case "revision":
			return text(v, &revision)
		}
		return false
	})
	switch {
	case err != nil:
		return nil, err
	case !topicText.MatchString(topic) || !revisionText.MatchString(revision):
		return nil, malformed("A topic is a lower-case word of at most 64 characters, a revision a decimal of at most 128 digits in a string.")
	case topic == dataTopic:
		return nil, fault.New(op, fault.InvalidRequest, topic, "This topic is told by Neutron itself.")
	}
	told, err := b.states.publish(caller, topic, revision)
	if err != nil {
		return nil, err
	}
	return append(strconv.AppendInt([]byte(`{"delivered":`), int64(told), 10), '}'), nil
}
