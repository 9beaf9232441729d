//go:build desktop && linux

// What a person really did, seen before the page sees it, and the switch that keeps keys from it.
#include "hook.h"
#include "_cgo_export.h"

static gboolean held;

// Event times count the display server's milliseconds: the monotonic clock on X11 and Wayland alike.
// A server with a clock of its own makes every event new, never old.
static guint64 age_of(guint32 when) {
  guint32 age = (guint32)(g_get_monotonic_time() / 1000) - when;
  return when && age < 10000 ? age : 0;
}

static gboolean on_button(GtkWidget *w, GdkEventButton *e, gpointer data) {
  if (e->type == GDK_BUTTON_PRESS) windowPressed((int)e->x, (int)e->y, age_of(e->time));
  return FALSE;
}

static gboolean on_touch(GtkWidget *w, GdkEventTouch *e, gpointer data) {
  if (e->type == GDK_TOUCH_BEGIN) windowPressed((int)e->x, (int)e->y, age_of(e->time));
  return FALSE;
}

static gboolean on_key(GtkWidget *w, GdkEventKey *e, gpointer data) {
  static guint32 last_time;
  static guint16 last_code;
  if (e->type == GDK_KEY_RELEASE) return held;
  gboolean again = e->time && e->time == last_time && e->hardware_keycode == last_code; // GTK gives an unhandled key twice
  last_time = e->time;
  last_code = e->hardware_keycode;
  guint plain = e->keyval; // of the first layout and level: a chord means the same in every alphabet
  GdkKeymapKey first = {e->hardware_keycode, 0, 0};
  guint looked = gdk_keymap_lookup_key(gdk_keymap_get_for_display(gtk_widget_get_display(w)), &first);
  if (looked) plain = looked;
  return windowKey(e->keyval, gdk_keyval_to_unicode(e->keyval), plain, gdk_keyval_to_unicode(plain), e->state, age_of(e->time), held, again);
}

void input_arm(WebKitWebView *view) {
  g_signal_connect(view, "button-press-event", G_CALLBACK(on_button), NULL);
  g_signal_connect(view, "touch-event", G_CALLBACK(on_touch), NULL);
  g_signal_connect(view, "key-press-event", G_CALLBACK(on_key), NULL);
  g_signal_connect(view, "key-release-event", G_CALLBACK(on_key), NULL);
}

static gboolean hold(gpointer on) {
  held = GPOINTER_TO_INT(on);
  return G_SOURCE_REMOVE;
}

void hook_hold(int on) { hook_post(hold, GINT_TO_POINTER(on)); }
