import * as l10n from '@vscode/l10n';
import { mostFileBytes, tableFile } from '../evalConfig';
import type { EvalFiles, EvalProblem } from '../evalConfig';
import { placedAt, readTree, valueOf } from './configTree';
import type { ConfigNode, ConfigTree, Place } from './configTree';

interface ParsedFile {
  readonly text: string;
  readonly root: ConfigNode | undefined;
  problems: ConfigTree['problems'];
  placed?: ConfigNode | undefined;
  value?: { readonly content: unknown };
}

/** The content of the files that a config names. A YAML or JSON file is parsed once, however often it is named. */
export class NamedFiles {
  private readonly parsed = new Map<string, ParsedFile>();

  constructor(
    private readonly files: EvalFiles,
    private readonly report: (kind: EvalProblem['kind'], at: Place, message: string) => void,
  ) {}

  /** Returns the files of a reference: itself, or those that match it as a pattern. Reports a pattern without matches. */
  async matching(reference: string, at: Place): Promise<readonly string[]> {
    if (!/[*?]/.test(reference)) return [reference];
    const found = (await this.files.list?.(reference)) ?? [];
    if (found.length === 0) this.report('error', at, l10n.t('No file matches {0}.', reference));
    return found;
  }

  /** Reports a problem and resolves with `undefined` if the file can't be read. */
  async text(reference: string, at: Place): Promise<string | undefined> {
    const result = await this.files.read(reference);
    if ('text' in result) return result.text;
    const messages = {
      missing: l10n.t("{0} doesn't exist.", reference),
      outside: l10n.t("{0} is outside the project folder, so it isn't read.", reference),
      secret: l10n.t('{0} might contain keys and is never read.', reference),
      tooLarge: l10n.t('{0} is larger than {1} MB.', reference, tableFile.test(reference) ? 50 : 1),
      tooMuch: l10n.t('The eval files are larger than {0} MB in total.', mostFileBytes / 1_000_000),
      unreadable: l10n.t("Couldn't read {0}.", reference),
    };
    this.report('error', at, messages[result.problem]);
    return undefined;
  }

  /** The content of a file, with its problems when this is called for the first time. */
  tree(reference: string, text: string): ConfigTree {
    const file = this.parse(reference, text);
    const { root, problems } = file;
    file.problems = [];
    return { root, problems };
  }

  /** The content with the places of where the file was named first, since each of its nodes is one object. */
  async placed(reference: string, at: Place): Promise<ConfigNode | undefined> {
    const text = await this.text(reference, at);
    if (text === undefined) return undefined;
    for (const { message, isError } of this.tree(reference, text).problems)
      this.report(isError ? 'error' : 'warning', at, `${reference}: ${message}`);
    const file = this.parse(reference, text);
    file.placed ??= file.root && placedAt(file.root, at);
    return file.placed;
  }

  /** The value of a file: what its YAML or JSON stands for, or else its text. */
  async value(reference: string, at: Place): Promise<unknown> {
    const text = await this.text(reference, at);
    if (text === undefined || !/\.(?:json|ya?ml)$/i.test(reference)) return text?.trim();
    const file = this.parse(reference, text);
    file.value ??= { content: file.root ? valueOf(file.root) : text.trim() };
    return file.value.content;
  }

  private parse(reference: string, text: string): ParsedFile {
    const known = this.parsed.get(reference);
    if (known?.text === text) return known;
    const file: ParsedFile = { ...readTree(text), text };
    this.parsed.set(reference, file);
    return file;
  }
}
