import type { Span } from '../batch/problem';
import type { ChatParameters, ParameterName } from '../conversation/chatParameters';

/** What stands in front matter, in the order in which it is written. */
export const promptKeys = ['description', 'model', 'models', 'parameters', 'system', 'variables'] as const;
export type PromptKey = (typeof promptKeys)[number];

/** What `parameters` may hold, under the wire's names; of the panel's, `system` stands apart and tools are the chat's. */
export const promptParameters = [
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'prefill',
] as const satisfies readonly ParameterName[];
export type PromptParameter = (typeof promptParameters)[number];

/** What a variable may be described by, where it is more than its value. */
export const variableKeys = ['description', 'default', 'options'] as const;

/**
 * Names that need no declaration: what is selected, the whole text under its path, the path and the language, all of the editor
 * used last. A variable of that name comes first.
 */
export const providedNames = ['selection', 'file', 'path', 'language'] as const;
export type ProvidedName = (typeof providedNames)[number];

/** As many as the chat asks at once. */
export const mostComparedModels = 4;

/** About 100,000 tokens: few models read more in one request. */
export const mostPromptCharacters = 400_000;

/** Longer front matter is not read. */
export const mostFrontMatterCharacters = 100_000;

export interface PromptModel {
  readonly id: string;
  readonly span: Span;
}

export interface PromptVariable {
  readonly name: string;
  readonly description?: string;
  /** What it stands for unless a person says otherwise. */
  readonly default?: string;
  /** Empty: any text. */
  readonly options: readonly string[];
  /** Of its name. */
  readonly span: Span;
}

/** What a prompt file says, as far as it can be read. */
export interface Prompt {
  readonly description?: string;
  /** Which is asked. */
  readonly model?: PromptModel;
  /** Which are compared. */
  readonly models: readonly PromptModel[];
  readonly parameters: Pick<ChatParameters, PromptParameter>;
  /** Empty: none. */
  readonly system: string;
  readonly variables: readonly PromptVariable[];
  /** With plain line feeds, without blank lines around it. */
  readonly text: string;
  /** The places of the file that are to be filled in, those of the system text first. */
  readonly places: readonly { readonly name: string; readonly span: Span }[];
}
