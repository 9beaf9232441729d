// Command empty is the least window that Wails can open: what starting Neutron is measured against.
// Its page asks for /ready as soon as its script runs, and the program prints a line.
package main

import (
	"fmt"
	"log"
	"net/http"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

const page = `<!doctype html><title>Empty</title><p>Empty</p><script>fetch("/ready")</script>`

func main() {
	serve := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ready" {
			fmt.Println("ready")
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}
	err := wails.Run(&options.App{
		Title: "Empty", Width: 1280, Height: 800,
		AssetServer: &assetserver.Options{Handler: http.HandlerFunc(serve)},
		Linux:       &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
	if err != nil {
		log.Fatal(err)
	}
}
