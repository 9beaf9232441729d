//go:build desktop && linux

// The locks: what no frame may reach, whatever it runs.
#include "hook.h"
#include "_cgo_export.h"
#include <string.h>

// Every native message of every frame passes here first, whether or not Wails would refuse it.
static void on_native_message(WebKitUserContentManager *m, WebKitJavascriptResult *r, gpointer data) { windowHeard(); }

static gboolean on_permission(WebKitWebView *view, WebKitPermissionRequest *request, gpointer data) {
  webkit_permission_request_deny(request);
  return TRUE;
}

static gboolean on_policy(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data) {
  if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) return FALSE;
  WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
  const char *address = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
  gboolean allowed = type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION
    && windowMayGo((char *)address, webkit_navigation_action_is_user_gesture(action));
  if (!allowed) webkit_policy_decision_ignore(decision);
  return !allowed;
}

static void settle_features(WebKitSettings *settings) {
  // Frames work in the background, so a minimised window must not slow their timers. PeerConnection
  // would open sockets past every filter. Names carry no "Enabled" suffix.
  static const char *const off[] = {"HiddenPageDOMTimerThrottling", "PeerConnection"};
  WebKitFeatureList *all = webkit_settings_get_all_features();
  for (gsize i = 0; i < webkit_feature_list_get_length(all); i++) {
    WebKitFeature *f = webkit_feature_list_get(all, i);
    for (gsize k = 0; k < G_N_ELEMENTS(off); k++)
      if (!strcmp(webkit_feature_get_identifier(f), off[k])) webkit_settings_set_feature_enabled(settings, f, FALSE);
  }
  webkit_feature_list_unref(all);
  webkit_settings_set_javascript_can_open_windows_automatically(settings, FALSE);
}

static gboolean proxy_open; // only ever in an e2e build

// Everything that is not our own loopback goes to a closed door, or to the kernel's proxy, which lets
// approved hosts through: preconnects too, which no filter sees, and the web view looks up no name.
static void set_proxy(WebKitWebView *view, const char *address) {
  const char *mine[] = {"127.0.0.1", "localhost", "*.localhost", NULL};
  WebKitNetworkProxySettings *door = webkit_network_proxy_settings_new(*address ? address : "http://127.0.0.1:9", mine);
  webkit_website_data_manager_set_network_proxy_settings(webkit_web_view_get_website_data_manager(view), WEBKIT_NETWORK_PROXY_MODE_CUSTOM, door);
  webkit_network_proxy_settings_free(door);
}

static gboolean change_proxy(gpointer address) {
  if (!hook_view) return G_SOURCE_CONTINUE; // an app may be installed while the window starts
  if (!proxy_open) set_proxy(hook_view, address);
  g_free(address);
  return G_SOURCE_REMOVE;
}

void hook_proxy(char *address) {
  hook_post(change_proxy, g_strdup(address));
  free(address);
}

void lock_arm(WebKitWebView *view, int open) {
  WebKitUserContentManager *content = webkit_web_view_get_user_content_manager(view);
  // Connected before the handler goes, so that the counter is proof and not absence.
  g_signal_connect(content, "script-message-received::external", G_CALLBACK(on_native_message), NULL);
  if (!(open & OPEN_UNREGISTER)) webkit_user_content_manager_unregister_script_message_handler(content, "external");
  proxy_open = (open & OPEN_PROXY) != 0;
  if (!proxy_open) {
    set_proxy(view, "");
    windowProxied();
  }
  g_signal_connect(view, "permission-request", G_CALLBACK(on_permission), NULL);
  g_signal_connect(view, "decide-policy", G_CALLBACK(on_policy), NULL);
  settle_features(webkit_web_view_get_settings(view));
}

typedef struct {
  char *rules, *dir;
} filter;

static void on_compiled(GObject *store, GAsyncResult *result, gpointer data) {
  GError *why = NULL;
  WebKitUserContentFilter *f = webkit_user_content_filter_store_save_finish(WEBKIT_USER_CONTENT_FILTER_STORE(store), result, &why);
  if (f) {
    WebKitUserContentManager *content = webkit_web_view_get_user_content_manager(hook_view);
    webkit_user_content_manager_remove_all_filters(content);
    webkit_user_content_manager_add_filter(content, f);
    webkit_user_content_filter_unref(f);
  }
  windowFiltered(f != NULL, why ? why->message : "");
  if (why) g_error_free(why);
  g_object_unref(store);
}

static gboolean compile(gpointer data) {
  filter *f = data;
  WebKitUserContentFilterStore *store = webkit_user_content_filter_store_new(f->dir);
  GBytes *rules = g_bytes_new(f->rules, strlen(f->rules));
  webkit_user_content_filter_store_save(store, "lock", rules, NULL, on_compiled, NULL);
  g_bytes_unref(rules);
  free(f->rules);
  free(f->dir);
  g_free(f);
  return G_SOURCE_REMOVE;
}

void hook_filter(char *rules, char *dir) {
  filter *f = g_new(filter, 1);
  f->rules = rules;
  f->dir = dir;
  hook_post(compile, f);
}
