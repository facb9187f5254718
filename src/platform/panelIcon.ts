import * as vscode from 'vscode';

/** Returns the icon of a tab in light and dark themes: `media/<name>-light.svg` and `media/<name>-dark.svg`. */
export function panelIcon(
  extensionUri: vscode.Uri,
  name: string,
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `${name}-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}
