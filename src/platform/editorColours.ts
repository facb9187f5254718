import * as vscode from 'vscode';
import { codeColours, readThemeFile } from '../core/theme/codeColours';
import type { TokenRule } from '../core/theme/codeColours';

/** The editor's colors for code, by syntax element; empty if the theme cannot be read. */
type EditorColours = ReturnType<typeof codeColours>;

/** Larger than any known theme. */
const maxBytes = 2_000_000;
const maxIncludes = 8;

interface ContributedTheme {
  readonly id?: string;
  readonly label?: string;
  readonly uiTheme?: string;
  readonly path?: string;
}

const kindOf: Readonly<Record<string, vscode.ColorThemeKind>> = {
  vs: vscode.ColorThemeKind.Light,
  'vs-dark': vscode.ColorThemeKind.Dark,
  'hc-black': vscode.ColorThemeKind.HighContrast,
  'hc-light': vscode.ColorThemeKind.HighContrastLight,
};

/** Settings that may name the theme instead of the usual one: which of them applies depends on the system's mode. */
const preferredFor: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [vscode.ColorThemeKind.Light]: 'preferredLightColorTheme',
  [vscode.ColorThemeKind.Dark]: 'preferredDarkColorTheme',
  [vscode.ColorThemeKind.HighContrast]: 'preferredHighContrastColorTheme',
  [vscode.ColorThemeKind.HighContrastLight]: 'preferredHighContrastLightColorTheme',
};

/**
 * Reads the active theme's file. The editor's API exposes neither the name of a theme nor its colors for code, so the settings provide the
 * name and the extension that contributes the theme provides the file.
 * @see https://github.com/microsoft/vscode/issues/32813
 */
export async function readEditorColours(): Promise<EditorColours> {
  const file = activeThemeFile();
  return file ? codeColours(await readRules(file, maxIncludes).catch(() => [])) : {};
}

/** Listens to both, because the theme may change before the setting that names it is written, or after. */
export function onDidChangeEditorColours(listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveColorTheme(listener),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const names = ['colorTheme', ...Object.values(preferredFor)];
      if (names.some((name) => event.affectsConfiguration(`workbench.${name}`))) listener();
    }),
  );
}

function activeThemeFile(): vscode.Uri | undefined {
  const settings = vscode.workspace.getConfiguration('workbench');
  const { kind } = vscode.window.activeColorTheme;
  const names = ['colorTheme', preferredFor[kind]].map((name) => settings.get<string>(name));
  for (const name of names) {
    for (const { extensionUri, packageJSON } of vscode.extensions.all) {
      const themes: readonly ContributedTheme[] = packageJSON?.contributes?.themes ?? [];
      const theme = themes.find(({ id, label, uiTheme = '' }) => (id ?? label) === name && kindOf[uiTheme] === kind);
      if (theme?.path) return vscode.Uri.joinPath(extensionUri, theme.path);
    }
  }
  return undefined;
}

async function readRules(file: vscode.Uri, includesLeft: number): Promise<readonly TokenRule[]> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > maxBytes) return [];
  const theme = readThemeFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  if (!theme) return [];
  const isBuiltOn = theme.include !== undefined && includesLeft > 0;
  const base = isBuiltOn ? await readRules(vscode.Uri.joinPath(file, '..', theme.include), includesLeft - 1) : [];
  return [...base, ...theme.rules];
}
