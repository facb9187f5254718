import type { Span } from '../batch/problem';
import { numbersAt } from '../parameters/parameterTable';
import type { NumberAt } from '../parameters/parameterTable';
import type { ChatParameters } from '../conversation/chatParameters';

/** The keys of front matter, in the order in which they are written. */
export const promptKeys = ['description', 'model', 'models', 'parameters', 'system', 'variables'] as const;
export type PromptKey = (typeof promptKeys)[number];

export type PromptParameter = NumberAt<'chat'> | 'stop_sequences' | 'prefill' | 'enable_thinking';

/** The keys of `parameters`, under their wire names; of the panel's parameters, `system` has its own key and tools belong to the chat. */
export const promptParameters: readonly PromptParameter[] = [
  ...numbersAt('chat'),
  'enable_thinking',
  'stop_sequences',
  'prefill',
];

/** The keys that describe a variable, if it is more than a plain value. */
export const variableKeys = ['description', 'default', 'options'] as const;

/**
 * Names that require no declaration: the selection, the complete text with its path, the path, and the language, all from the last active
 * editor. A declared variable of the same name takes precedence.
 */
export const providedNames = ['selection', 'file', 'path', 'language'] as const;
export type ProvidedName = (typeof providedNames)[number];

/** The number of models that the chat can ask in parallel. */
export const mostComparedModels = 4;

/** About 100,000 tokens: few models read more in one request. */
export const mostPromptCharacters = 400_000;

/** Longer front matter is not parsed. */
export const mostFrontMatterCharacters = 100_000;

export interface PromptModel {
  readonly id: string;
  readonly span: Span;
}

export interface PromptVariable {
  readonly name: string;
  readonly description?: string;
  /** The value unless a user provides another. */
  readonly default?: string;
  /** Empty: any text is allowed. */
  readonly options: readonly string[];
  /** Range of the name. */
  readonly span: Span;
}

/** The contents of a prompt file, as far as it can be parsed. */
export interface Prompt {
  readonly description?: string;
  /** The model to ask. */
  readonly model?: PromptModel;
  /** The models to compare. */
  readonly models: readonly PromptModel[];
  readonly parameters: Pick<ChatParameters, PromptParameter>;
  /** Empty if there is none. */
  readonly system: string;
  readonly variables: readonly PromptVariable[];
  /** With LF line endings, without blank lines around it. */
  readonly text: string;
  /** The placeholders in the file, those of the system text first. */
  readonly places: readonly { readonly name: string; readonly span: Span }[];
}
