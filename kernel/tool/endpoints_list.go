package tool

import (
	"context"

	"neutron/kernel/endpoint"
)

// Live lists the connected endpoints.
type Live interface {
	Live() []endpoint.Endpoint
}

const endpointsList = `{
  "name": "endpoints.list",
  "title": "List endpoints",
  "description": "The endpoints that are live now, the kernel first.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "type": "object", "additionalProperties": false, "required": ["endpoints"],
    "properties": {"endpoints": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["id", "appId", "role"],
      "properties": {
        "id": {"type": "string"}, "appId": {"type": "string"},
        "role": {"enum": ["kernel", "tile", "background", "tray"]},
        "tileId": {"type": "string"}, "instanceId": {"type": "string"}
      }}}}
  }
}`

// EndpointsList makes endpoints.list: {} to {endpoints: [...]}.
func EndpointsList(live Live) *Kernel {
	type row struct {
		ID       endpoint.ID `json:"id"`
		AppID    string      `json:"appId"`
		Role     string      `json:"role"`
		TileID   string      `json:"tileId,omitzero"`
		Instance string      `json:"instanceId,omitzero"`
	}
	return define(endpointsList, func(context.Context, Call) ([]byte, error) {
		rows := []row{{ID: endpoint.Kernel, AppID: "kernel", Role: "kernel"}}
		for _, e := range live.Live() {
			i := e.Identity
			rows = append(rows, row{e.ID, i.App, i.Role.String(), i.Tile, i.Instance})
		}
		return result(struct {
			Endpoints []row `json:"endpoints"`
		}{rows})
	})
}
