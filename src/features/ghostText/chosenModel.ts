import * as l10n from '@vscode/l10n';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { lacksModel } from '../../core/catalogue/lacksModel';
import type { Profile } from '../../services/account/account';
import { createLastModel } from '../../services/models/lastModel';
import type { Services } from '../../services/services';
import { showQuickPick } from '../../platform/notify';

/** The profile and model that write ghost text. */
export interface GhostSubject {
  readonly profile: Profile;
  readonly model: string;
}

/** The model of ghost text, or the one that was chosen and that the profile's service does not offer. */
export type GhostChoice =
  | GhostSubject
  | { readonly profile: Profile; readonly model?: undefined; readonly notOffered: string };

/** The models chosen per account, on this machine. An empty text is the default for completion. */
function chosenPerAccount({ context, account }: Services) {
  return createLastModel(context.globalState, 'ghostText.model', account);
}

/**
 * Returns `undefined` without a profile, or if no model of it is known. The setting counts if the account has its model, and otherwise the
 * model selected for the account. With `asksService`, requests the list of models if none are known, or if an old one lacks the selected
 * one.
 */
export async function ghostChoice(
  services: Services,
  { asksService }: { readonly asksService: boolean },
): Promise<GhostChoice | undefined> {
  const { account, models, settings } = services;
  const profile = account.current.profile;
  if (!profile) return undefined;
  const chosen = [settings.get('ghostText.model'), chosenPerAccount(services).get()];
  const known = await models.ready();
  const isKnown = known.models.length > 0 || known.error !== undefined;
  const isLacking = chosen.some((id) => id !== undefined && id !== '' && lacksModel(id, known));
  // At each key: what failed is not requested again.
  const mayBeOld = !isKnown || (isLacking && known.error === undefined);
  const state = asksService && mayBeOld ? await models.ensureFresh() : known;
  const [named = '', own] = chosen;
  if (named !== '' && !lacksModel(named, state)) return { profile, model: named };
  const other = own ?? named;
  if (other !== '') return lacksModel(other, state) ? { profile, notOffered: other } : { profile, model: other };
  const model = chooseModel('completion', state);
  return model === undefined ? undefined : { profile, model };
}

/** Asks the user for the model and saves it. `refusedAt` reports which models can only continue text. */
export async function askForModel(
  services: Services,
  refusedAt: (subject: GhostSubject) => Promise<number | undefined>,
): Promise<void> {
  const { account, models, settings } = services;
  const state = await models.ensureFresh();
  const profile = account.current.profile;
  const setting = settings.get('ghostText.model');
  const own = chosenPerAccount(services);
  const isSetHere = setting !== '' && !lacksModel(setting, state);
  const named = isSetHere ? setting : (own.get() ?? setting);
  const offered = modelsForJob('completion', state.models, state.pins).map(({ id }) => id);
  const ids = named === '' || offered.includes(named) ? offered : [named, ...offered];
  const isRefusing = async (model: string) =>
    profile !== undefined && (await refusedAt({ profile, model })) !== undefined;
  const item = async (id: string, label: string, what?: string) => {
    const words = [
      what,
      id === named ? l10n.t('chosen') : undefined,
      id !== '' && lacksModel(id, state) ? l10n.t('not listed') : undefined,
      (await isRefusing(what ?? id)) ? l10n.t('text before cursor only') : undefined,
    ];
    return { id, label, description: words.filter((word) => word !== undefined).join(' · ') };
  };
  const standard = chooseModel('completion', state);
  const items = [item('', l10n.t('Default completion model'), standard), ...ids.map((id) => item(id, id))];
  const chosen = await showQuickPick(await Promise.all(items), {
    title: l10n.t('Select Inline Suggestion Model'),
    placeHolder: l10n.t('Small fill-in-the-middle models respond fastest'),
    matchOnDescription: true,
  });
  if (!chosen) return;
  if (chosen.id !== '') await models.allowUnlisted(chosen.id);
  await own.set(chosen.id);
  // If it matches, the setting takes precedence.
  if (isSetHere) await settings.set('ghostText.model', chosen.id);
}
