//go:build desktop && linux && e2e

package window

/*
#cgo pkg-config: gtk+-3.0 webkit2gtk-4.1
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

static WebKitWebView *driven;

static WebKitWebView *on_create(WebKitAutomationSession *s, gpointer d) { return driven; }

static void on_started(WebKitWebContext *c, WebKitAutomationSession *s, gpointer d) {
  WebKitApplicationInfo *i = webkit_application_info_new();
  webkit_application_info_set_name(i, "neutron");
  webkit_application_info_set_version(i, 1, 0, 0);
  webkit_automation_session_set_application_info(s, i);
  webkit_application_info_unref(i);
  g_signal_connect(s, "create-web-view", G_CALLBACK(on_create), NULL);
}

// The symbol that Wails calls, found here before the library's: the only way to a view that
// WebKitWebDriver may drive, because "is-controlled-by-automation" is set at construction.
GtkWidget *webkit_web_view_new_with_user_content_manager(WebKitUserContentManager *content) {
  WebKitWebContext *c = webkit_web_context_get_default();
  if (g_getenv("NEUTRON_E2E_DRIVE")) {
    webkit_web_context_set_automation_allowed(c, TRUE);
    g_signal_connect(c, "automation-started", G_CALLBACK(on_started), NULL);
  }
  driven = g_object_new(WEBKIT_TYPE_WEB_VIEW, "user-content-manager", content, "is-controlled-by-automation", g_getenv("NEUTRON_E2E_DRIVE") != NULL, NULL);
  return GTK_WIDGET(driven);
}
*/
import "C"

import (
	"context"
	"fmt"
	"os"

	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Screenshots of WebKitWebDriver hang without a GPU policy.
const gpuPolicy = linux.WebviewGpuPolicyOnDemand

// started listens for what a frame may only send when every lock is open. The line on standard
// error is the positive control of the lock tests.
func started(wctx context.Context) {
	runtime.EventsOn(wctx, "neutron.e2e.reached", func(data ...any) {
		fmt.Fprintln(os.Stderr, "REACHED", fmt.Sprint(data...))
	})
}
