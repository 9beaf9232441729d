package tool

import (
	"context"

	"neutron/kernel/endpoint"
)

// Apps lists the installed rows.
type Apps interface {
	Apps() []endpoint.App
}

const appsList = `{
  "name": "apps.list",
  "title": "List apps",
  "description": "The installed apps. Names and descriptions were written by the apps themselves.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "type": "object", "additionalProperties": false, "required": ["apps", "untrustedMetadata"],
    "properties": {
      "apps": {"type": "array", "items": {
        "type": "object", "additionalProperties": false, "required": ["id", "name", "version"],
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "version": {"type": "string"}, "description": {"type": "string"}}}},
      "untrustedMetadata": {"const": true}
    }
  }
}`

// AppsList makes apps.list: {} to {apps: [{id, name, version, description?}]}.
func AppsList(apps Apps) *Kernel {
	type row struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Version     string `json:"version"`
		Description string `json:"description,omitzero"`
	}
	return define(appsList, func(context.Context, Call) ([]byte, error) {
		rows := []row{}
		for _, a := range apps.Apps() {
			rows = append(rows, row{a.ID, a.Name, a.Version, a.About})
		}
		return result(struct {
			Apps      []row `json:"apps"`
			Untrusted bool  `json:"untrustedMetadata"`
		}{rows, true})
	})
}
