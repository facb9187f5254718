import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import { chooseModel } from '../../core/catalogue/jobs';
import { mostComparedModels } from '../../core/prompts/prompt';
import type { Prompt } from '../../core/prompts/prompt';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import { refuseUntrusted } from '../../platform/workspace/workspaceTrust';
import type { Services } from '../../services/services';
import { chooseModels } from './chooseModels';
import { preparePrompt, promptName } from './preparePrompt';
import type { PreparedParts } from './preparePrompt';

/** Sends a prompt in a new conversation of the chat, to one model or to several side by side. */
export async function runPrompt(
  document: vscode.TextDocument,
  parts: PreparedParts,
  { chatService, models, connections, isCompared }: Services & { readonly isCompared: boolean },
): Promise<void> {
  refuseUntrusted(document.uri);
  // Fail before the person enters values for something that cannot be sent.
  await connections.client();
  const prepared = await preparePrompt(document, parts);
  if (!prepared) return;
  const { prompt, filled } = prepared;
  const asked = isCompared ? await comparedModels(document, prompt, models) : [await modelOf(prompt, models)];
  if (asked) await chatService.ask({ ...filled, models: asked.filter((model) => model !== undefined) });
}

/** Returns the model a prompt names, otherwise the default for chat. */
export async function modelOf({ model, models }: Prompt, catalogue: ModelCatalogue): Promise<string | undefined> {
  const named = model ?? models[0];
  if (named) return named.id;
  const known = chooseModel('chat', await catalogue.ready());
  return known ?? chooseModel('chat', await catalogue.ensureFresh());
}

async function comparedModels(
  document: vscode.TextDocument,
  { model, models }: Prompt,
  catalogue: ModelCatalogue,
): Promise<readonly string[] | undefined> {
  const named = models.map(({ id }) => id).slice(0, mostComparedModels);
  if (named.length > 1) return named;
  const known = await catalogue.ready();
  const state = known.models.length > 0 ? known : await catalogue.ensureFresh();
  if (state.models.length === 0 && state.error !== undefined) throw state.error;
  const first = named[0] ?? model?.id ?? chooseModel('chat', state);
  const title = l10n.t('Compare models with {0}', promptName(document.uri));
  return chooseModels(title, state, first === undefined ? [] : [first]);
}
