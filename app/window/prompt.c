//go:build desktop && linux

// The native prompt. It is a window of its own and works while the page stands still.
#include "hook.h"
#include "_cgo_export.h"
#include <string.h>

static GtkWidget *shown;

// Colours and sizes are the design's tokens; @-names are set for the light or the dark half.
static const char *const light =
  "@define-color surface #ffffff; @define-color raised #f7f8f9; @define-color text #17191c;"
  "@define-color second #4f545d; @define-color third #646973; @define-color line #d9dbe0; @define-color thin #e6e8eb;"
  "@define-color hot #fbf2e0; @define-color hover #eeeff2; @define-color ring #2457c5; @define-color danger #bd2f27; @define-color warning #7d4e00;";
static const char *const dark =
  "@define-color surface #17181b; @define-color raised #1c1e21; @define-color text #ecedef;"
  "@define-color second #adb1b9; @define-color third #9297a0; @define-color line #34373c; @define-color thin #292c30;"
  "@define-color hot #2b2213; @define-color hover #26282c; @define-color ring #7aa7f5; @define-color danger #b8413a; @define-color warning #e2b663;";
static const char *const look =
  "* { all: unset; font-family: \"Inter\", system-ui, sans-serif; font-size: 13px; color: @text; -gtk-icon-style: symbolic; }"
  "window, .body { background: @surface; }"
  ".body { padding: 18px 20px 16px; }"
  ".mark { min-width: 36px; min-height: 36px; border-radius: 8px; background: @hot; color: @warning; font-size: 16px; font-weight: 600; }"
  ".heading { font-size: 15px; font-weight: 600; }"
  ".text { color: @second; font-size: 12px; } .note { color: @third; font-size: 11px; }"
  ".panel { border: 1px solid @line; border-radius: 6px; } .panel .row { padding: 8px 12px; border-top: 1px solid @thin; background: @hot; }"
  ".panel .head { padding: 6px 12px; color: @third; font-size: 11px; } .name { font-weight: 500; } .dim { color: @third; font-size: 12px; }"
  ".foot { padding: 12px 20px; border-top: 1px solid @thin; background: @raised; }"
  ".foot button { padding: 4px 11px; min-height: 18px; border-radius: 6px; border: 1px solid @line; background: @surface; }"
  ".foot button:hover { background: @hover; } .foot button:focus { box-shadow: 0 0 0 1px @surface, 0 0 0 3px @ring; } .foot button:disabled label { color: @third; }"
  ".foot button.first { background: @danger; border-color: @danger; } .foot button.first label, .foot button.first:disabled label { color: white; } .foot button.first:disabled { opacity: .55; }";

static gboolean prefers_dark(void) {
  gboolean prefer = FALSE;
  char *theme = NULL;
  g_object_get(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", &prefer, "gtk-theme-name", &theme, NULL);
  if (theme && g_str_has_suffix(theme, "-dark")) prefer = TRUE;
  g_free(theme);
  return prefer;
}

// Only this prompt's widgets take the look: the person's theme stays elsewhere.
static void dress(GtkWidget *w, gpointer css) {
  gtk_style_context_add_provider(gtk_widget_get_style_context(w), GTK_STYLE_PROVIDER(css), GTK_STYLE_PROVIDER_PRIORITY_USER + 1);
  if (GTK_IS_CONTAINER(w)) gtk_container_forall(GTK_CONTAINER(w), dress, css);
}

static GtkWidget *classed(GtkWidget *w, const char *name) {
  gtk_style_context_add_class(gtk_widget_get_style_context(w), name);
  return w;
}

static GtkWidget *line(const char *text, const char *name) {
  GtkWidget *l = gtk_label_new(text);
  gtk_label_set_line_wrap(GTK_LABEL(l), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(l), 58);
  gtk_label_set_xalign(GTK_LABEL(l), 0);
  return classed(l, name);
}

static void close_shown(void) {
  GtkWidget *w = shown;
  shown = NULL;
  if (w) gtk_widget_destroy(w);
}

static void choose(GtkWidget *button, gpointer first) {
  close_shown();
  windowAnswered(GPOINTER_TO_INT(first));
}

// Closing the prompt, or Escape, is the second choice: nothing is ended.
static gboolean on_close(GtkWidget *w, GdkEvent *e, gpointer data) {
  choose(NULL, GINT_TO_POINTER(FALSE));
  return TRUE;
}

static gboolean on_key(GtkWidget *w, GdkEventKey *e, gpointer data) {
  if (e->keyval != GDK_KEY_Escape || !gtk_widget_get_sensitive(GTK_WIDGET(data))) return FALSE;
  choose(NULL, GINT_TO_POINTER(FALSE));
  return TRUE;
}

// A key that was meant for the page must not land on a button.
static gboolean arm_buttons(gpointer first) {
  if (shown && g_object_get_data(G_OBJECT(shown), "first") == first) {
    gtk_widget_set_sensitive(GTK_WIDGET(first), TRUE);
    gtk_widget_set_sensitive(GTK_WIDGET(g_object_get_data(G_OBJECT(shown), "second")), TRUE);
    gtk_widget_grab_focus(GTK_WIDGET(first));
  }
  g_object_unref(first);
  return G_SOURCE_REMOVE;
}

static GtkWidget *body_of(const prompt *p) {
  GtkWidget *body = classed(gtk_box_new(GTK_ORIENTATION_VERTICAL, 12), "body");
  GtkWidget *top = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12), *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
  char initial[8] = "!";
  if (p->names[0] && *p->names[0]) initial[g_unichar_to_utf8(g_unichar_toupper(g_utf8_get_char(p->names[0])), initial)] = 0;
  GtkWidget *mark = classed(gtk_label_new(initial), "mark");
  gtk_widget_set_valign(mark, GTK_ALIGN_START);
  gtk_box_pack_start(GTK_BOX(words), line(p->heading, "heading"), FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(words), line(p->text, "text"), FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(top), mark, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(top), words, TRUE, TRUE, 0);
  gtk_box_pack_start(GTK_BOX(body), top, FALSE, FALSE, 0);
  if (p->names[0]) {
    GtkWidget *panel = classed(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), "panel");
    gtk_box_pack_start(GTK_BOX(panel), line("Was at work when the page stopped", "head"), FALSE, FALSE, 0);
    for (char **n = p->names; *n; n++) {
      GtkWidget *row = classed(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), "row");
      GtkWidget *name = classed(gtk_label_new(*n), "name");
      gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
      gtk_box_pack_start(GTK_BOX(row), name, FALSE, FALSE, 0);
      gtk_box_pack_end(GTK_BOX(row), classed(gtk_label_new("comes back last"), "dim"), FALSE, FALSE, 0);
      gtk_box_pack_start(GTK_BOX(panel), row, FALSE, FALSE, 0);
    }
    gtk_box_pack_start(GTK_BOX(body), panel, FALSE, FALSE, 0);
  }
  gtk_box_pack_start(GTK_BOX(body), line(p->note, "note"), FALSE, FALSE, 0);
  return body;
}

static void free_prompt(prompt *p) {
  for (char **n = p->names; *n; n++) free(*n);
  free(p->names);
  free(p->heading);
  free(p->text);
  free(p->note);
  free(p->first);
  free(p->second);
  free(p);
}

static gboolean show(gpointer data) {
  prompt *p = data;
  close_shown();
  shown = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title(GTK_WINDOW(shown), "Neutron");
  gtk_window_set_wmclass(GTK_WINDOW(shown), "neutron-prompt", "Neutron");
  atk_object_set_name(gtk_widget_get_accessible(shown), p->heading);
  atk_object_set_role(gtk_widget_get_accessible(shown), ATK_ROLE_ALERT);
  gtk_window_set_type_hint(GTK_WINDOW(shown), GDK_WINDOW_TYPE_HINT_DIALOG);
  gtk_window_set_resizable(GTK_WINDOW(shown), FALSE);
  gtk_widget_set_size_request(shown, 500, -1);
  if (hook_window()) {
    gtk_window_set_transient_for(GTK_WINDOW(shown), hook_window());
    gtk_window_set_destroy_with_parent(GTK_WINDOW(shown), TRUE);
  }
  gtk_window_set_position(GTK_WINDOW(shown), GTK_WIN_POS_CENTER_ON_PARENT);

  GtkWidget *page = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *foot = classed(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), "foot");
  GtkWidget *first = classed(gtk_button_new_with_label(p->first), "first"), *second = gtk_button_new_with_label(p->second);
  g_signal_connect(first, "clicked", G_CALLBACK(choose), GINT_TO_POINTER(TRUE));
  g_signal_connect(second, "clicked", G_CALLBACK(choose), GINT_TO_POINTER(FALSE));
  gtk_widget_set_sensitive(first, FALSE);
  gtk_widget_set_sensitive(second, FALSE);
  gtk_box_pack_end(GTK_BOX(foot), first, FALSE, FALSE, 0);
  gtk_box_pack_end(GTK_BOX(foot), second, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(page), body_of(p), TRUE, TRUE, 0);
  gtk_box_pack_start(GTK_BOX(page), foot, FALSE, FALSE, 0);
  gtk_container_add(GTK_CONTAINER(shown), page);
  g_object_set_data(G_OBJECT(shown), "first", first);
  g_object_set_data(G_OBJECT(shown), "second", second);
  g_signal_connect(shown, "delete-event", G_CALLBACK(on_close), NULL);
  g_signal_connect(shown, "key-press-event", G_CALLBACK(on_key), second);

  GtkCssProvider *css = gtk_css_provider_new();
  char *sheet = g_strconcat(prefers_dark() ? dark : light, look, NULL);
  gtk_css_provider_load_from_data(css, sheet, -1, NULL);
  g_free(sheet);
  gtk_widget_show_all(shown);
  dress(shown, css);
  g_object_unref(css);
  gtk_window_present(GTK_WINDOW(shown));
  g_timeout_add(p->arm_ms, arm_buttons, g_object_ref(first));
  free_prompt(p);
  return G_SOURCE_REMOVE;
}

void hook_prompt(prompt *p) { hook_post(show, p); }

static gboolean take_away(gpointer data) {
  close_shown();
  return G_SOURCE_REMOVE;
}

void hook_prompt_close(void) { hook_post(take_away, NULL); }
