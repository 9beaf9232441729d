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
      "type": "object", "additionalProperties": false, "required": ["endpoint", "role", "connected"],
      "properties": {
        "endpoint": {"type": "string"}, "appId": {"type": "string"}, "connected": {"const": true},
        "role": {"enum": ["kernel", "tile", "background", "tray"]},
        "tileId": {"type": "string"}, "instanceId": {"type": "string"}
      }}}}
  }
}`

// EndpointsList makes endpoints.list: {} to {endpoints: [...]}.
func EndpointsList(live Live) *Kernel {
	type row struct {
		Endpoint  endpoint.ID `json:"endpoint"`
		AppID     string      `json:"appId,omitzero"`
		Role      string      `json:"role"`
		TileID    string      `json:"tileId,omitzero"`
		Instance  string      `json:"instanceId,omitzero"`
		Connected bool        `json:"connected"`
	}
	return define(endpointsList, func(context.Context, Call) ([]byte, error) {
		rows := []row{{Endpoint: endpoint.Kernel, Role: "kernel", Connected: true}}
		for _, e := range live.Live() {
			i := e.Identity
			rows = append(rows, row{e.ID, i.App, i.Role.String(), i.Tile, i.Instance, true})
		}
		return result(struct {
			Endpoints []row `json:"endpoints"`
		}{rows})
	})
}
