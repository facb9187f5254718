import { env, l10n } from 'vscode';
import type { PromptVariable } from '../../core/prompts/prompt';
import { listText } from '../../protocol/formats';

/** Describes a variable: what it is for, and its default value. */
export function variableText({ description, default: usual, options }: Omit<PromptVariable, 'name' | 'span'>): string {
  const parts = [
    description,
    options.length > 0 ? l10n.t('One of {0}.', listText(options, env.language)) : undefined,
    usual === undefined
      ? l10n.t('It is asked for when the prompt is run.')
      : l10n.t('Unless another is given: {0}', usual),
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}
