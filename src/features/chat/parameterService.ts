import { defaultMaxTokens } from '../../core/api/messages/messages.bounds';
import type { ParameterIssue } from '../../core/api/parameters';
import { countSet } from '../../core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../core/conversation/chatParameters';
import { acceptedAt, numbersAt } from '../../core/parameters/parameterTable';
import type { JsonFile } from '../../core/storage/storedFile';
import { createParameterMemory } from '../../services/parameters/parameterMemory';
import type { ParameterMemory, PresetErrors } from '../../services/parameters/parameterMemory';
import type { FieldWords, ParametersState } from '../../protocol/chatParameters';
import type { ParameterFile } from './parameterFile';
import { parameterWarnings, toForm } from './parameterForm';
import type { FieldIssue } from './parameterForm';

/** The panel's messages about values, in the editor's display language. */
export interface ParameterMessages extends PresetErrors {
  readonly issue: (issue: ParameterIssue | undefined) => string;
  readonly warning: (warning: ParameterIssue) => string;
  readonly bounds: (bounds: { readonly min?: number | undefined; readonly max?: number | undefined }) => string;
  readonly defaultMaxTokens: (model: string, tokens: number) => string;
  readonly notTaken: (model: string) => string;
}

export interface ParameterServiceOptions {
  /**
   * Stores presets and refused parameters. Not a setting, because a preset may contain a long system prompt, which belongs neither
   * in a settings file that is synchronized nor in one a workspace can write.
   */
  readonly file: JsonFile<ParameterFile>;
  readonly profileId: () => string;
  readonly words: ParameterMessages;
  readonly newId: () => string;
}

/** Presets, and the parameters that models were seen to refuse; shared by all conversations. */
export interface ParameterService extends Omit<ParameterMemory<ChatParameters, ParameterName>, 'presets'> {
  describe(
    parameters: ChatParameters,
    model: string | undefined,
    issues?: readonly FieldIssue[],
  ): Promise<ParametersState>;
}

export function createParameterService({ file, profileId, words, newId }: ParameterServiceOptions): ParameterService {
  const memory = createParameterMemory({ file, profileId, errors: words, newId });
  return {
    ...memory,
    async describe(parameters, model, issues = []) {
      const refused = model === undefined ? [] : await memory.notTaken(model);
      const sent = Object.fromEntries(
        Object.entries(parameters).filter(([name]) => !refused.some((other) => other === name)),
      );
      return {
        form: toForm(parameters),
        count: countSet(sent),
        hints: hintsFor(words),
        defaults: defaultsFor(model, words),
        issues: Object.fromEntries(issues.map(({ name, issue }) => [name, words.issue(issue)])),
        warnings: Object.fromEntries(
          parameterWarnings(sent, model).map((warning) => [warning.parameter, words.warning(warning)]),
        ),
        notTaken: Object.fromEntries(refused.map((name) => [name, words.notTaken(model ?? '')])),
        presets: await memory.presets(),
      };
    },
  };
}

/** The bounds the vendor documents. Where the service accepts more, still the documented ones; a warning explains the difference. */
function hintsFor(words: ParameterMessages): FieldWords {
  const hints = numbersAt('messages').flatMap((name) => {
    const accepted = acceptedAt('messages', name);
    const { min = accepted.min, max = accepted.max } = accepted.advised ?? {};
    return min === undefined || max === undefined ? [] : [[name, words.bounds({ min, max })] as const];
  });
  return Object.fromEntries(hints);
}

function defaultsFor(model: string | undefined, words: ParameterMessages): FieldWords {
  const names = numbersAt('messages').filter((name) => acceptedAt('messages', name).hasDefault);
  const text = model === undefined ? '' : words.defaultMaxTokens(model, defaultMaxTokens(model));
  return Object.fromEntries(names.map((name) => [name, text]));
}
