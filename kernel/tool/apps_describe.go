package tool

import (
	"context"

	"neutron/kernel/fault"
)

const appsDescribe = `{
  "name": "apps.describe",
  "title": "Describe an app",
  "description": "One installed app and its pages. Texts were written by the app itself.",
  "inputSchema": {
    "type": "object", "additionalProperties": false, "required": ["appId"],
    "properties": {"appId": {"type": "string", "minLength": 1, "maxLength": 64}}
  },
  "outputSchema": {
    "type": "object", "additionalProperties": false,
    "required": ["id", "name", "description", "version", "tiles", "background", "untrustedMetadata"],
    "properties": {
      "id": {"type": "string"}, "name": {"type": "string"}, "description": {"type": "string"}, "version": {"type": "string"},
      "tiles": {"type": "array", "items": {
        "type": "object", "additionalProperties": false, "required": ["id", "title", "description"],
        "properties": {"id": {"type": "string"}, "title": {"type": "string"}, "description": {"type": "string"}}}},
      "background": {"type": "boolean"},
      "untrustedMetadata": {"const": true}
    }
  }
}`

// AppsDescribe makes apps.describe: {appId} to one app, or APP_UNKNOWN.
func AppsDescribe(apps Apps) *Kernel {
	type tile struct {
		ID          string `json:"id"`
		Title       string `json:"title"`
		Description string `json:"description"`
	}
	return define(appsDescribe, func(_ context.Context, c Call) ([]byte, error) {
		var in struct {
			AppID string `json:"appId"`
		}
		if err := arguments(c, &in); err != nil {
			return nil, err
		}
		for _, a := range apps.Apps() {
			if a.ID != in.AppID {
				continue
			}
			tiles := []tile{}
			for _, t := range a.Tiles {
				tiles = append(tiles, tile{t.ID, t.Title, t.About})
			}
			return result(struct {
				ID          string `json:"id"`
				Name        string `json:"name"`
				Description string `json:"description"`
				Version     string `json:"version"`
				Tiles       []tile `json:"tiles"`
				Background  bool   `json:"background"`
				Untrusted   bool   `json:"untrustedMetadata"`
			}{a.ID, a.Name, a.About, a.Version, tiles, a.Background != "", true})
		}
		return nil, fault.New("tool.appsDescribe", fault.AppUnknown, in.AppID, "")
	})
}
