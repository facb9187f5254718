import { env, l10n } from 'vscode';
import type { LanguageModelChatInformation } from 'vscode';
import { nameOf } from '../../core/catalogue/model';
import type { CatalogueModel } from '../../core/catalogue/model';
import { mostPromptTokens } from '../../core/editorChat/room';
import { foreign } from '../../core/text/foreignText';
import { numberText } from '../../platform/displayText';
import type { KnownModel } from './capabilityMemory';
import { listText } from '../../protocol/formats';

/** A member that editors newer than the typings read: the person's own key pays, so no plan of the editor is required. */
type OwnKeyInformation = LanguageModelChatInformation & { readonly isBYOK: true };

/**
 * Returns how the editor shows a model, whose id must be plain, and what it may send to it. Leaves out edit hints, because the editor
 * rejects them.
 */
export function toInformation(model: CatalogueModel, known: KnownModel, profileName: string): OwnKeyInformation {
  const { name, tier } = nameOf(model);
  const { tools, images, outputTokens } = known.capabilities;
  return {
    id: model.id,
    name: tier === undefined ? name : `${name} (${tier})`,
    family: name,
    version: '1',
    detail: foreign(profileName),
    tooltip: tooltipOf(model.id, known),
    maxInputTokens: mostPromptTokens(known.capabilities),
    maxOutputTokens: outputTokens,
    capabilities: { toolCalling: tools, imageInput: images },
    isBYOK: true,
  };
}

function tooltipOf(id: string, { capabilities, lesson, setting }: KnownModel): string {
  const { tools, images, thinking, contextTokens, outputTokens } = capabilities;
  const number = (count: number) => numberText(count, env.language);
  const learned = learnedWords(lesson);
  return [
    l10n.t('{0}, with your own key', id),
    tools ? l10n.t('Takes tools') : l10n.t('Takes no tools, so agents cannot use it'),
    images ? l10n.t('Takes pictures') : l10n.t('Takes no pictures'),
    ...(thinking === 'never' ? [] : [thinking === 'always' ? l10n.t('Thinks first') : l10n.t('Can think first')]),
    l10n.t('{0} tokens in all, {1} of them for the answer', number(contextTokens), number(outputTokens)),
    ...(learned.length === 0 ? [] : [l10n.t('Learned from refusals: {0}', listText(learned, env.language))]),
    ...(Object.keys(setting).length === 0 ? [] : [l10n.t('Your settings say otherwise than usual for this model')]),
  ].join(' · ');
}

/** Describes in a few words each what the model was seen not to accept. */
export function learnedWords({ tools, images, contextTokens, outputTokens }: KnownModel['lesson']): readonly string[] {
  return [
    tools === false ? l10n.t('no tools') : undefined,
    images === false ? l10n.t('no pictures') : undefined,
    contextTokens === undefined ? undefined : l10n.t('{0} tokens in all', numberText(contextTokens, env.language)),
    outputTokens === undefined ? undefined : l10n.t('answers up to {0} tokens', numberText(outputTokens, env.language)),
  ].filter((words) => words !== undefined);
}
