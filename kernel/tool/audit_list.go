package tool

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// Own lists the newest audit entries of one installation, newest first, as
// caller and as target.
type Own interface {
	Own(app string, uid uint64) []*linkv1.AuditEntry
}

const auditList = `{
  "name": "audit.list",
  "title": "List own calls",
  "description": "The newest calls that this app made or answered.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "type": "object", "additionalProperties": false, "required": ["entries"],
    "properties": {"entries": {"type": "array", "maxItems": 200, "items": {
      "type": "object", "additionalProperties": false,
      "required": ["seq", "at", "caller", "target", "tool", "status", "durationMs", "arguments", "result"],
      "properties": {
        "seq": {"type": "integer"}, "at": {"type": "string"}, "durationMs": {"type": "number"},
        "caller": {"type": "string"}, "target": {"type": "string"}, "tool": {"type": "string"},
        "status": {"type": "string"}, "arguments": {"type": "string"}, "result": {"type": "string"}
      }}}}
  }
}`

// AuditList makes audit.list: {} to {entries: [...]} of the caller's own app, as
// many of the newest as one result holds.
func AuditList(log Own) *Kernel {
	type row struct {
		Seq        uint64  `json:"seq"`
		At         string  `json:"at"`
		Caller     string  `json:"caller"`
		Target     string  `json:"target"`
		Tool       string  `json:"tool"`
		Status     string  `json:"status"`
		DurationMs float64 `json:"durationMs"`
		Arguments  string  `json:"arguments"`
		Result     string  `json:"result"`
	}
	return define(auditList, func(_ context.Context, c Call) ([]byte, error) {
		rows := []jsontext.Value{}
		i := c.Caller.Identity
		size := len(`{"entries":[]}`)
		for _, e := range log.Own(i.App, i.UID) {
			text, err := result(row{
				Seq: e.Seq, At: time.UnixMilli(e.AtMs).UTC().Format(time.RFC3339Nano),
				Caller: e.Caller.GetEndpointId(), Target: e.Target.GetEndpointId(), Tool: e.Tool,
				Status: e.Status, DurationMs: float64(e.DurationUs) / 1000,
				Arguments: e.Arguments, Result: e.Result,
			})
			if err != nil {
				return nil, err
			}
			if size += len(text) + 1; size > limit.PayloadBytes {
				break // the newest that fit
			}
			rows = append(rows, text)
		}
		return result(struct {
			Entries []jsontext.Value `json:"entries"`
		}{rows})
	})
}
