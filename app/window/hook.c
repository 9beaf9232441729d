//go:build desktop && linux

// Finds the web view that Wails made, and what the Go side may do with it.
#include "hook.h"
#include "_cgo_export.h"

WebKitWebView *hook_view;

// Not g_main_context_invoke: before the loop runs it would call f on the caller's thread.
void hook_post(GSourceFunc f, gpointer data) { g_idle_add_full(G_PRIORITY_HIGH, f, data, NULL); }

GtkWindow *hook_window(void) {
  GtkWidget *top = hook_view ? gtk_widget_get_toplevel(GTK_WIDGET(hook_view)) : NULL;
  return top && GTK_IS_WINDOW(top) ? GTK_WINDOW(top) : NULL;
}

static WebKitWebView *find_view(GtkWidget *w) {
  if (WEBKIT_IS_WEB_VIEW(w)) return WEBKIT_WEB_VIEW(w);
  if (!GTK_IS_CONTAINER(w)) return NULL;
  WebKitWebView *found = NULL;
  GList *children = gtk_container_get_children(GTK_CONTAINER(w));
  for (GList *i = children; i && !found; i = i->next) found = find_view(GTK_WIDGET(i->data));
  g_list_free(children);
  return found;
}

static void on_address(WebKitWebView *view, GParamSpec *spec, gpointer data) {
  windowAddress((char *)webkit_web_view_get_uri(view));
}

static gboolean on_terminated(WebKitWebView *view, WebKitWebProcessTerminationReason why, gpointer data) {
  windowDied((int)why);
  return TRUE;
}

static gboolean arm(gpointer open) {
  GList *tops = gtk_window_list_toplevels();
  for (GList *i = tops; i && !hook_view; i = i->next) hook_view = find_view(GTK_WIDGET(i->data));
  g_list_free(tops);
  if (!hook_view) return G_SOURCE_CONTINUE; // OnStartup runs beside the window's own start
  lock_arm(hook_view, GPOINTER_TO_INT(open));
  input_arm(hook_view);
  g_signal_connect(hook_view, "notify::uri", G_CALLBACK(on_address), NULL);
  g_signal_connect(hook_view, "web-process-terminated", G_CALLBACK(on_terminated), NULL);
  windowArmed();
  return G_SOURCE_REMOVE;
}

void hook_arm(int open) { hook_post(arm, GINT_TO_POINTER(open)); }

static gboolean load(gpointer address) {
  webkit_web_view_load_uri(hook_view, address);
  g_free(address);
  return G_SOURCE_REMOVE;
}

void hook_load(char *address) {
  hook_post(load, g_strdup(address));
  free(address);
}

static gboolean end_page(gpointer data) {
  if (hook_view) webkit_web_view_terminate_web_process(hook_view);
  return G_SOURCE_REMOVE;
}

void hook_end_page(void) { hook_post(end_page, NULL); }

static gboolean raise_window(gpointer data) {
  GtkWindow *w = hook_window();
  if (!w) return G_SOURCE_REMOVE;
  gtk_window_deiconify(w);
  gtk_window_present(w);
  return G_SOURCE_REMOVE;
}

void hook_raise(void) { hook_post(raise_window, NULL); }

static gboolean quit(gpointer data) {
  static gboolean done;
  GtkWindow *w = hook_window();
  if (done) return G_SOURCE_REMOVE;
  if (!gtk_main_level() || !w) return G_SOURCE_CONTINUE;
  done = TRUE;
  int width, height;
  gtk_window_get_size(w, &width, &height);
  windowClosing(width, height, gtk_window_is_maximized(w));
  // Ended, not asked to leave: a page in an endless loop would outlive us.
  webkit_web_view_terminate_web_process(hook_view);
  gtk_main_quit();
  return G_SOURCE_REMOVE;
}

void hook_quit(void) { hook_post(quit, NULL); }

void hook_context(const char *name, int sandbox) {
  // WebKit names its directories after the program, and "neutron" is where our own data is.
  g_set_prgname(name);
  WebKitWebContext *context = webkit_web_context_get_default();
  g_set_prgname("neutron");
  webkit_web_context_set_sandbox_enabled(context, sandbox);
}
