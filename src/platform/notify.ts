import * as vscode from 'vscode';
import { bracketsClosed, escapeMarkdown, foreignLine, foreignLines, inert } from '../core/text/foreignText';
import type { CommandId } from './commands';

/**
 * The only module that passes texts of ours with foreign values in them to VS Code: messages, progress, prompts, picks, tree rows,
 * tooltips, lenses, completions, the status bar. In many of these, VS Code turns `[label](command:…)` into live links and `$(name)` into
 * icons, and it renders characters that hide or reorder others. No text that passes through here can do that: a link comes only from a
 * `MessageLink` or a `commandLink`, an icon only from the start of a status text or a separate argument. A lint rule forbids VS Code's own
 * functions in all other files.
 *
 * A value that can be long, or whose end matters, is inserted as `foreign(value)`. Any other value is neutralized here.
 */

/** The editor cuts messages off after this many characters (1.139); a question is usually at the end. */
const longestMessage = 900;
/** For a dialog: more than fits on a screen. */
const longestDetail = 20_000;
const longestRow = { label: 300, description: 400, detail: 900 } as const;
const longestTooltip = 4000;

export type MessageKind = 'information' | 'warning' | 'error';

function message<T extends string | undefined>(text: T): T {
  return (text === undefined ? text : foreignLine(text, longestMessage)) as T;
}

/**
 * Shows a notification, or a dialog if `options.modal`. Resolves with the chosen action, as passed, or `undefined` if the message was
 * closed. A dialog's `detail` retains its line breaks and is shown literally.
 */
export async function showMessage<A extends string | vscode.MessageItem>(
  kind: MessageKind,
  text: string,
  ...rest: readonly [vscode.MessageOptions, ...A[]] | readonly A[]
): Promise<A | undefined> {
  const [first, ...others] = rest;
  const hasOptions = typeof first === 'object' && !('title' in first);
  const { detail, ...options }: vscode.MessageOptions = hasOptions ? first : {};
  const items = (hasOptions ? others : rest).map((one) => {
    const action = one as A;
    const item: vscode.MessageItem = typeof action === 'string' ? { title: action } : action;
    return { ...item, title: message(item.title), action };
  });
  const shown = { ...options, ...(detail !== undefined && { detail: foreignLines(detail, longestDetail) }) };
  const { window } = vscode;
  const show: (text: string, options: vscode.MessageOptions, ...items: Chosen<A>[]) => Thenable<Chosen<A> | undefined> =
    {
      information: window.showInformationMessage,
      warning: window.showWarningMessage,
      error: window.showErrorMessage,
    }[kind];
  return (await show(message(text), shown, ...items))?.action;
}

type Chosen<A> = vscode.MessageItem & { readonly action: A };

/** A link of ours in the message of a progress notification; it passes no arguments. */
export interface MessageLink {
  readonly label: string;
  readonly command: CommandId;
}

export interface ProgressReport {
  readonly message?: string | undefined;
  /** Shown after the message. */
  readonly link?: MessageLink | undefined;
  /** In percent. All increments add up to 100. */
  readonly increment?: number;
}

/** Wraps the editor's `withProgress`. */
export function withProgress<T>(
  options: vscode.ProgressOptions,
  work: (progress: { report(value: ProgressReport): void }, token: vscode.CancellationToken) => Thenable<T>,
): Thenable<T> {
  const { title, ...others } = options;
  return vscode.window.withProgress(
    { ...others, ...(title !== undefined && { title: bracketsClosed(message(title)) }) },
    (progress, token) => work({ report: (value) => progress.report(toReport(value)) }, token),
  );
}

function toReport({ message: text, link, increment }: ProgressReport) {
  const linked = link && `[${inert(link.label).replaceAll(/[[\]]/g, '')}](command:${link.command})`;
  const words = [text && bracketsClosed(message(text)), linked].filter(Boolean).join(' · ');
  return { ...(text !== undefined && { message: words }), ...(increment !== undefined && { increment }) };
}

/** Shows a short text at the left end of the status bar for a while. */
export function setStatusBarMessage(text: string, hideAfterMs: number): void {
  vscode.window.setStatusBarMessage(message(text), hideAfterMs);
}

/** Its `text` may begin with an icon. A `tooltip` may have several lines. */
export function createStatusBarItem(
  id: string,
  alignment: vscode.StatusBarAlignment,
  priority?: number,
): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(id, alignment, priority);
  return guarded(item, { name: message, text: statusText, tooltip });
}

/** Creates an entry in the editor's status of the active document's language. */
export function createLanguageStatusItem(id: string, selector: vscode.DocumentSelector): vscode.LanguageStatusItem {
  return guarded(vscode.languages.createLanguageStatusItem(id, selector), {
    name: message,
    text: message,
    detail: message,
  });
}

export function createInputBox(): vscode.InputBox {
  return guarded(vscode.window.createInputBox(), {
    title: message,
    prompt: message,
    placeholder: message,
    validationMessage: (validation) =>
      typeof validation === 'object' ? { ...validation, message: message(validation.message) } : message(validation),
  });
}

/** Icons are set with an item's `iconPath`. The items remain the same objects; unsafe texts in them are replaced. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return guarded(vscode.window.createQuickPick<T>(), { title: message, placeholder: message, items: toRows<T> });
}

/** Resolves with one of the `items` themselves. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[] | PromiseLike<readonly T[]>,
  options: vscode.QuickPickOptions,
): Promise<T | undefined> {
  return vscode.window.showQuickPick(rowsOf(items), shownOptions(options));
}

/** Resolves with the chosen items, or `undefined` if the user canceled. */
export async function showQuickPicks<T extends vscode.QuickPickItem>(
  items: readonly T[] | PromiseLike<readonly T[]>,
  options: vscode.QuickPickOptions,
): Promise<readonly T[] | undefined> {
  return vscode.window.showQuickPick(rowsOf(items), { ...shownOptions(options), canPickMany: true });
}

async function rowsOf<T extends vscode.QuickPickItem>(items: readonly T[] | PromiseLike<readonly T[]>): Promise<T[]> {
  return [...toRows(await items)];
}

function shownOptions({ title, placeHolder, ...others }: vscode.QuickPickOptions): vscode.QuickPickOptions {
  return {
    ...others,
    ...(title !== undefined && { title: message(title) }),
    ...(placeHolder !== undefined && { placeHolder: message(placeHolder) }),
  };
}

function toRows<T extends vscode.QuickPickItem>(items: readonly T[]): readonly T[] {
  for (const item of items) {
    for (const part of ['label', 'description', 'detail'] as const) {
      const text = item[part];
      if (text === undefined) continue;
      const shown = foreignLine(text, longestRow[part]);
      if (shown !== text) item[part] = shown;
    }
  }
  return items;
}

/** Creates a tree row. Texts assigned to it later are sanitized too. */
export function treeItem(label: string, state?: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const row = (text: string) => foreignLine(text, longestRow.label);
  return guarded(new vscode.TreeItem(row(label), state), {
    label: (text) => (typeof text === 'object' ? { ...text, label: row(text.label) } : text && row(text)),
    description: (text: string | boolean | undefined) =>
      typeof text === 'string' ? foreignLine(text, longestRow.description) : text,
    tooltip,
  });
}

/** Wraps VS Code's `createTreeView`. The texts above and next to its rows are sanitized. */
export function createTreeView<T>(id: string, options: vscode.TreeViewOptions<T>): vscode.TreeView<T> {
  return guarded(vscode.window.createTreeView(id, options), { title: message, description: message, message });
}

/** Creates a code lens, with an icon before its title if one is provided. */
export function codeLens(
  range: vscode.Range,
  { icon, title, ...command }: vscode.Command & { readonly icon?: string },
): vscode.CodeLens {
  const words = foreignLine(title, longestRow.label);
  return new vscode.CodeLens(range, { ...command, title: icon === undefined ? words : `$(${icon}) ${words}` });
}

/** Creates a completion that inserts `text` unchanged and is filtered by it. */
export function completionItem(text: string, kind: vscode.CompletionItemKind): vscode.CompletionItem {
  const item = new vscode.CompletionItem(foreignLine(text, longestRow.label), kind);
  item.insertText = text;
  item.filterText = text;
  return item;
}

/** Sanitizes a status text, except for one icon at its beginning. */
function statusText(text: string): string {
  const [icon = ''] = /^\$\([\w~-]+\) /.exec(text) ?? [];
  return icon + foreignLine(text.slice(icon.length), longestRow.label);
}

function tooltip(text: string | vscode.MarkdownString | undefined): string | vscode.MarkdownString | undefined {
  return typeof text === 'string' ? foreignLines(text, longestTooltip) : text;
}

/**
 * Returns a proxy for the object that passes values assigned to these properties through their guards. An unchanged text is not assigned,
 * because VS Code sends every assignment to its window.
 */
function guarded<T extends object>(target: T, guards: { readonly [K in keyof T]?: (value: T[K]) => T[K] }): T {
  return new Proxy(target, {
    set(object, name, value) {
      if (!(name in guards)) return Reflect.set(object, name, value);
      const shown: unknown = guards[name as keyof T]!(value as T[keyof T]);
      const isSame = typeof shown === 'string' && shown === (Reflect.get(object, name) ?? '');
      return isSame || Reflect.set(object, name, shown);
    },
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}

/**
 * Template tag for Markdown: the template itself is trusted. Values are shown literally, except Markdown created here, which includes the
 * commands its links can run.
 */
export function markdown(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | vscode.MarkdownString)[]
): vscode.MarkdownString {
  return joined(
    strings.flatMap((ours, index) => {
      const value = values[index];
      const text = new vscode.MarkdownString(ours);
      if (value === undefined) return [text];
      return [
        text,
        value instanceof vscode.MarkdownString ? value : new vscode.MarkdownString(escapeMarkdown(String(value))),
      ];
    }),
    '',
  );
}

/** Joins pieces of Markdown, including the commands they may run. */
export function joined(parts: readonly vscode.MarkdownString[], separator = '\n\n'): vscode.MarkdownString {
  const all = new vscode.MarkdownString(parts.map(({ value }) => value).join(separator));
  const commands = parts.flatMap(({ isTrusted }) => (typeof isTrusted === 'object' ? isTrusted.enabledCommands : []));
  if (commands.length > 0) all.isTrusted = { enabledCommands: commands };
  return all;
}

/** Returns a link to a command of ours, for a tooltip. The arguments are encoded as JSON. */
export function commandLink(label: string, command: CommandId | `${string}.focus`, ...args: readonly unknown[]) {
  const query = args.length === 0 ? '' : `?${percentEncoded(JSON.stringify(args))}`;
  const link = new vscode.MarkdownString(`[${escapeMarkdown(label)}](command:${command}${query})`);
  link.isTrusted = { enabledCommands: [command] };
  return link;
}

/** Returns an image for a tooltip, from this machine or from the remote one the extension runs on; sizes in pixels. */
export function picture(
  file: string,
  { width, height }: { readonly width: number; readonly height: number },
): vscode.MarkdownString {
  const uri = vscode.Uri.file(file).toString().replaceAll(/[()|]/g, percentEncoded);
  return new vscode.MarkdownString(`![](${uri}|width=${width},height=${height})`);
}

/** Also encodes what ends a link's target in Markdown, which `encodeURIComponent` leaves unchanged. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[()'*!~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
