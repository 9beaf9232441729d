package tool

import (
	"context"

	"neutron/kernel/endpoint"
)

const permissionsRequest = `{
  "name": "permissions.request",
  "title": "Ask for a permission",
  "description": "Asks the owner for a grant that lasts for this session: of one tool of a live endpoint, or, without a tool, of seeing its tools.",
  "inputSchema": {
    "type": "object", "additionalProperties": false, "required": ["target"],
    "properties": {
      "target": {"type": "string", "minLength": 1, "maxLength": 240},
      "tool": {"type": "string", "minLength": 1, "maxLength": 128}
    }
  },
  "outputSchema": {
    "type": "object", "additionalProperties": false, "required": ["granted"],
    "properties": {"granted": {"const": true}}
  }
}`

// PermissionsRequest makes permissions.request: {target, tool?} to
// {granted: true}, or the fault of the refusal.
func PermissionsRequest() *Kernel {
	t := define(permissionsRequest, func(ctx context.Context, c Call) ([]byte, error) {
		var in struct {
			Target endpoint.ID `json:"target"`
			Tool   string      `json:"tool"`
		}
		if err := arguments(c, &in); err != nil {
			return nil, err
		}
		if err := c.Permit(ctx, in.Target, in.Tool); err != nil {
			return nil, err
		}
		return []byte(`{"granted":true}`), nil
	})
	t.Asks = true
	return t
}
