import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { requestedVariables, fillPrompt, providedPlaceholders } from '../../core/prompts/fillPrompt';
import type { FilledPrompt } from '../../core/prompts/fillPrompt';
import { mostPromptCharacters } from '../../core/prompts/prompt';
import type { Prompt, ProvidedName, PromptVariable } from '../../core/prompts/prompt';
import { promptSeverities } from '../../core/prompts/promptProblems';
import { numberText } from '../../platform/displayText';
import type { LastEditor } from '../../platform/workspace/lastEditor';
import type { Settings } from '../../platform/settings';
import { UserError } from '../../platform/errors/userError';
import { problemMessage } from './problems';
import type { PromptReadings } from './promptFiles';
import { attachedText } from '../../core/conversation/attachment';
import { listText } from '../../protocol/formats';
import { guardReason, WorkspaceGuard } from '../../platform/workspace/workspaceGuard';
import { refuseUntrusted } from '../../platform/workspace/workspaceTrust';
import { isPromptFile } from './logic/isPromptFile';
import { foreign } from '../../core/text/foreignText';
import { askPick, askText } from '../../platform/quickInput';
import type { StepResult } from '../../platform/quickInput';

/** Fills in the placeholders of prompts: from the editor, and by asking the user. */
export class PromptFiller {
  constructor(
    private readonly readings: PromptReadings,
    private readonly remembered: RememberedValues,
    private readonly lastEditor: LastEditor,
    private readonly settings: Settings,
  ) {}

  /** Fills in a prompt, asking for missing values. `undefined` if the user cancels. */
  async fill(
    document: vscode.TextDocument,
  ): Promise<{ readonly prompt: Prompt; readonly filled: FilledPrompt } | undefined> {
    const prompt = this.usable(document);
    const values = await this.valuesFor(document, prompt);
    if (!values) return undefined;
    const filled = fillPrompt(prompt, values);
    if (filled.text.trim() === '') {
      throw new UserError(l10n.t('The prompt is empty'), l10n.t('With these values, the prompt is empty.'));
    }
    if (filled.text.length > mostPromptCharacters) {
      throw new UserError(
        l10n.t('The prompt is too long'),
        l10n.t(
          'With its values, the prompt has {0} characters. The limit is {1}.',
          numberText(filled.text.length, vscode.env.language),
          numberText(mostPromptCharacters, vscode.env.language),
        ),
      );
    }
    return { prompt, filled };
  }

  /** Returns the prompt in a document. Throws `UserError` if an error makes it unusable. */
  usable(document: vscode.TextDocument): Prompt {
    const { prompt, problems } = this.readings.of(document);
    const error = problems.find(({ code }) => promptSeverities[code] === 'error');
    if (!error) return prompt;
    const { line } = document.positionAt(error.span.start);
    throw new UserError(
      l10n.t("Can't run {0} yet", promptName(document.uri)),
      l10n.t('Line {0}: {1}', numberText(line + 1, vscode.env.language), problemMessage(error)),
    );
  }

  /** Resolves to the values of a prompt's placeholders, except those in `columns`. `undefined` if the user cancels. */
  async valuesFor(
    document: vscode.TextDocument,
    prompt: Prompt,
    columns: readonly string[] = [],
  ): Promise<ReadonlyMap<string, string> | undefined> {
    const isFixed = (name: string) => !columns.includes(name);
    const provided = await this.providedTexts(providedPlaceholders(prompt).filter(isFixed));
    const variables = requestedVariables(prompt).filter(({ name }) => isFixed(name));
    const values = await askValues(promptName(document.uri), variables, this.remembered.of(document.uri));
    if (!values) return undefined;
    this.remembered.add(document.uri, values);
    return new Map([...provided, ...values]);
  }

  /**
   * Returns what the editor fills in, taken from the last used editor that does not show a prompt. Throws `UserError` if there is none, if
   * nothing is selected in it, or if it shows a file that may hold secrets.
   */
  private async providedTexts(names: readonly ProvidedName[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map();
    const editor = this.lastEditor.current(({ uri }) => !isPromptFile(uri) && uri.scheme !== 'output');
    if (!editor) {
      throw new UserError(
        l10n.t('Open an editor first'),
        l10n.t('{0} needs an active editor. Open a file, then try again.', places(names)),
      );
    }
    const { document, selection } = editor;
    refuseUntrusted(document.uri);
    const label = vscode.workspace.asRelativePath(document.uri);
    const guard = await WorkspaceGuard.open(this.settings, { allowsElsewhere: true });
    const checked = await guard.check(document.uri);
    const refusal = 'refusal' in checked ? checked.refusal : undefined;
    if (refusal === 'outside' || refusal === 'secret') {
      throw new UserError(l10n.t("Couldn't use {0}", foreign(label)), guardReason(refusal));
    }
    if (names.includes('selection') && selection.isEmpty) {
      throw new UserError(
        l10n.t('No selection in {0}', foreign(label)),
        l10n.t('Select the text to use as {0}.', places(['selection'])),
      );
    }
    const texts: Readonly<Record<ProvidedName, () => string>> = {
      selection: () => document.getText(selection),
      file: () =>
        attachedText({ kind: 'file', label, language: document.languageId, text: document.getText(), tokens: 0 }),
      path: () => label,
      language: () => document.languageId,
    };
    return new Map(names.map((name) => [name, texts[name]().replaceAll('\r\n', '\n')]));
  }
}

/** Returns the file's name without the extension that all prompt files have. */
export function promptName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.desk\.md$/i, '');
}

function places(names: readonly ProvidedName[]): string {
  return listText(
    names.map((name) => `{{${name}}}`),
    vscode.env.language,
  );
}

/** Asks for the values of variables one after the other, with a way back. `undefined` if the user cancels. */
async function askValues(
  title: string,
  variables: readonly PromptVariable[],
  before: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const values = new Map(Object.entries(before));
  for (let index = 0; index < variables.length;) {
    const variable = variables[index]!;
    const steps = variables.length > 1 ? { step: index + 1, totalSteps: variables.length } : {};
    const frame = { title, ...steps, canGoBack: index > 0 };
    const answer = await askValue(variable, values.get(variable.name) ?? variable.default, frame);
    if (answer.kind === 'cancelled') return undefined;
    if (answer.kind === 'value') values.set(variable.name, answer.value);
    index += answer.kind === 'value' ? 1 : -1;
  }
  return new Map(variables.map(({ name }) => [name, values.get(name) ?? '']));
}

interface Frame {
  readonly title: string;
  readonly canGoBack: boolean;
}

function askValue(
  { name, description, options }: PromptVariable,
  value: string | undefined,
  frame: Frame,
): Promise<StepResult<string>> {
  const words = description === undefined ? name : `${name}: ${description}`;
  if (options.length === 0) {
    return askText({ ...frame, prompt: words, value: value ?? '', check: () => undefined });
  }
  const items = options.map((option) => ({ label: option === '' ? l10n.t('(empty)') : option, value: option }));
  return askPick({
    ...frame,
    placeholder: words,
    canFilter: true,
    items,
    ...(value !== undefined && { current: value }),
  });
}

const key = 'prompts.values';
/** Beyond this, the values of the files that were run longest ago are deleted. */
const mostFiles = 100;

/** The last values entered for the variables of prompt files, saved with the workspace. */
export class RememberedValues {
  constructor(private readonly memento: vscode.Memento) {}

  of(uri: vscode.Uri): Readonly<Record<string, string>> {
    return this.all().find(([file]) => file === uri.toString())?.[1] ?? {};
  }

  add(uri: vscode.Uri, values: ReadonlyMap<string, string>): void {
    if (values.size === 0) return;
    const others = this.all().filter(([file]) => file !== uri.toString());
    const now = [uri.toString(), { ...this.of(uri), ...Object.fromEntries(values) }] as const;
    void this.memento.update(key, [now, ...others].slice(0, mostFiles));
  }

  private all() {
    return this.memento.get<readonly (readonly [string, Readonly<Record<string, string>>])[]>(key, []);
  }
}
