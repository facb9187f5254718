import { l10n } from 'vscode';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import type { Profile } from '../../services/account/account';
import type { Services } from '../../services/services';
import { showQuickPick } from '../../platform/notify';

/** The profile and model that write ghost text. */
export interface GhostSubject {
  readonly profile: Profile;
  readonly model: string;
}

/** `undefined` if there is no profile, or no model of it is known. With `asksService`, requests the list of models if none are known. */
export async function ghostSubject(
  { models, profiles, settings }: Services,
  { asksService }: { readonly asksService: boolean },
): Promise<GhostSubject | undefined> {
  const profile = profiles.active;
  if (!profile) return undefined;
  const named = settings.get('ghostText.model');
  if (named !== '') return { profile, model: named };
  const known = await models.ready();
  const isKnown = known.models.length > 0 || known.error !== undefined;
  const state = isKnown || !asksService ? known : await models.ensureFresh();
  const model = chooseModel('completion', state);
  return model === undefined ? undefined : { profile, model };
}

/** Asks the person for the model and saves it. `refusedAt` reports which models can only continue text. */
export async function askForModel(
  { models, profiles, settings }: Services,
  refusedAt: (subject: GhostSubject) => Promise<number | undefined>,
): Promise<void> {
  const state = await models.ensureFresh();
  const profile = profiles.active;
  const named = settings.get('ghostText.model');
  const offered = modelsForJob('completion', state.models, state.pins).map(({ id }) => id);
  const ids = named === '' || offered.includes(named) ? offered : [named, ...offered];
  const isRefusing = async (model: string) =>
    profile !== undefined && (await refusedAt({ profile, model })) !== undefined;
  const item = async (id: string, label: string, what?: string) => {
    const words = [
      what,
      id === named ? l10n.t('chosen') : undefined,
      (await isRefusing(what ?? id)) ? l10n.t('prefix only') : undefined,
    ];
    return { id, label, description: words.filter((word) => word !== undefined).join(' · ') };
  };
  const standard = chooseModel('completion', state);
  const items = [item('', l10n.t('The default for completion'), standard), ...ids.map((id) => item(id, id))];
  const chosen = await showQuickPick(await Promise.all(items), {
    title: l10n.t('Model for ghost text'),
    placeHolder: l10n.t('Small models that fill in code answer quickest'),
    matchOnDescription: true,
  });
  if (chosen) await settings.set('ghostText.model', chosen.id);
}
