import * as vscode from 'vscode';
import { bracketsClosed, escapeMarkdown, foreignLine, foreignLines, inert } from '../core/text/foreignText';
import type { CommandId } from './commands';

/**
 * The door to everything of the editor that draws words of ours with values of others among them: messages, progress, prompts, picks,
 * rows of trees, tooltips, lenses, completions, the status bar. In many of these the editor makes live links of `[label](command:…)` and
 * pictures of `$(name)`, and it draws characters that hide or reorder others. Nothing that passes here does: a link comes only from a
 * `MessageLink` or a `commandLink`, an icon only where it leads a status text or is given beside the words. The linter keeps the editor's
 * own functions out of all other files.
 *
 * A value that may be long, or whose end matters, goes into its sentence as `foreign(value)`; whatever was forgotten is made harmless here.
 */

/** The editor cuts messages off behind this many characters (1.139); the end is where a question is asked. */
const longestMessage = 900;
/** Of a dialog: more than a screen shows. */
const longestDetail = 20_000;
const longestRow = { label: 300, description: 400, detail: 900 } as const;
const longestTooltip = 4000;

export type MessageKind = 'information' | 'warning' | 'error';

function message<T extends string | undefined>(text: T): T {
  return (text === undefined ? text : foreignLine(text, longestMessage)) as T;
}

/**
 * A notification, or a dialog where `options.modal`. Resolves to the action that was chosen, as it was passed, and to `undefined` where
 * the message was closed. The lines of a dialog's `detail` stay, and are drawn to the letter.
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

/** A link of ours in a message that goes on; it passes no arguments. */
export interface MessageLink {
  readonly label: string;
  readonly command: CommandId;
}

export interface ProgressReport {
  readonly message?: string | undefined;
  /** Stands behind the message. */
  readonly link?: MessageLink | undefined;
  /** Of 100 in all. */
  readonly increment?: number;
}

/** The editor's `withProgress`. */
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

/** Some words at the left end of the status bar, for a moment. */
export function setStatusBarMessage(text: string, hideAfterMs: number): void {
  vscode.window.setStatusBarMessage(message(text), hideAfterMs);
}

/** Its `text` may begin with an icon. A `tooltip` of several lines stays so. */
export function createStatusBarItem(
  id: string,
  alignment: vscode.StatusBarAlignment,
  priority?: number,
): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(id, alignment, priority);
  return guarded(item, { name: message, text: statusText, tooltip });
}

/** An entry among what the editor shows of the active document's language. */
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
    validationMessage: (told) =>
      typeof told === 'object' ? { ...told, message: message(told.message) } : message(told),
  });
}

/** Icons are an item's `iconPath`. The items stay the same objects; texts in them that are not harmless are replaced. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return guarded(vscode.window.createQuickPick<T>(), { title: message, placeholder: message, items: toRows<T> });
}

/** Resolves to one of the `items` themselves. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[] | PromiseLike<readonly T[]>,
  options: vscode.QuickPickOptions,
): Promise<T | undefined> {
  return vscode.window.showQuickPick(rowsOf(items), shownOptions(options));
}

/** Resolves to those that were chosen, `undefined` where the person left. */
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

/** A row of a tree. What is assigned to it later passes the door too. */
export function treeItem(label: string, state?: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const row = (text: string) => foreignLine(text, longestRow.label);
  return guarded(new vscode.TreeItem(row(label), state), {
    label: (text) => (typeof text === 'object' ? { ...text, label: row(text.label) } : text && row(text)),
    description: (text: string | boolean | undefined) =>
      typeof text === 'string' ? foreignLine(text, longestRow.description) : text,
    tooltip,
  });
}

/** The editor's `createTreeView`; the words above and beside its rows pass the door. */
export function createTreeView<T>(id: string, options: vscode.TreeViewOptions<T>): vscode.TreeView<T> {
  return guarded(vscode.window.createTreeView(id, options), { title: message, description: message, message });
}

/** A lens of these words, with an icon before them where it has one. */
export function codeLens(
  range: vscode.Range,
  { icon, title, ...command }: vscode.Command & { readonly icon?: string },
): vscode.CodeLens {
  const words = foreignLine(title, longestRow.label);
  return new vscode.CodeLens(range, { ...command, title: icon === undefined ? words : `$(${icon}) ${words}` });
}

/** Offers `text`, which goes into the document as it is and is searched by. */
export function completionItem(text: string, kind: vscode.CompletionItemKind): vscode.CompletionItem {
  const item = new vscode.CompletionItem(foreignLine(text, longestRow.label), kind);
  item.insertText = text;
  item.filterText = text;
  return item;
}

/** One icon at its beginning is ours. */
function statusText(text: string): string {
  const [icon = ''] = /^\$\([\w~-]+\) /.exec(text) ?? [];
  return icon + foreignLine(text.slice(icon.length), longestRow.label);
}

function tooltip(text: string | vscode.MarkdownString | undefined): string | vscode.MarkdownString | undefined {
  return typeof text === 'string' ? foreignLines(text, longestTooltip) : text;
}

/** The same object, but what is assigned to the properties named goes through their guards. */
function guarded<T extends object>(target: T, guards: { readonly [K in keyof T]?: (value: T[K]) => T[K] }): T {
  return new Proxy(target, {
    set: (object, name, value) =>
      Reflect.set(object, name, name in guards ? guards[name as keyof T]!(value as T[keyof T]) : value),
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}

/**
 * Markdown: what is written in the template is ours; whatever is put into it is drawn to the letter, except Markdown that was made
 * here itself, which brings along the commands its links may run.
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

/** Pieces of Markdown as one. */
export function joined(parts: readonly vscode.MarkdownString[], separator = '\n\n'): vscode.MarkdownString {
  const all = new vscode.MarkdownString(parts.map(({ value }) => value).join(separator));
  const commands = parts.flatMap(({ isTrusted }) => (typeof isTrusted === 'object' ? isTrusted.enabledCommands : []));
  if (commands.length > 0) all.isTrusted = { enabledCommands: commands };
  return all;
}

/** A link to a command of ours, for a tooltip. The arguments are JSON. */
export function commandLink(label: string, command: CommandId | `${string}.focus`, ...args: readonly unknown[]) {
  const query = args.length === 0 ? '' : `?${percentEncoded(JSON.stringify(args))}`;
  const link = new vscode.MarkdownString(`[${escapeMarkdown(label)}](command:${command}${query})`);
  link.isTrusted = { enabledCommands: [command] };
  return link;
}

/** A picture of this machine, or of the other one where the editor runs on two, in a tooltip; sizes in pixels. */
export function picture(
  file: string,
  { width, height }: { readonly width: number; readonly height: number },
): vscode.MarkdownString {
  const uri = vscode.Uri.file(file).toString().replaceAll(/[()|]/g, percentEncoded);
  return new vscode.MarkdownString(`![](${uri}|width=${width},height=${height})`);
}

/** Also what ends a link's target in Markdown, which `encodeURIComponent` leaves as it is. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[()'*!~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
