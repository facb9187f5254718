import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { ImageRequest } from '../../../core/api/images/images.schema';
import { expandSweep } from '../../../core/imageRuns/sweep';
import { numberText } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import type { ImageForm } from '../../../protocol/images';
import type { Services } from '../../../services/services';
import { lastSentText, planOf, problemWords } from '../form/formAnswer';
import { readForm } from '../form/readForm';
import type { OrderedFrom } from '../runs/imageRuns';
import type { ImagesController } from './imagesController';
import { showMessage } from '../../../platform/notify';

/** Above this number of images, ask for confirmation: each one costs money. */
const askedAbove = 20;
/** Most requests in one run: at the service's lowest rate limit, more would take hours. */
const mostRequests = 500;

/** Sends the requests of a form. Throws `UserError` if the form is incomplete or invalid; does nothing if the user declines. */
export async function submitForm(controller: ImagesController, form: ImageForm, services: Services): Promise<void> {
  const reading = readForm(form);
  const { request, sweep, issues } = reading;
  if (request.prompt === '')
    throw new UserError(l10n.t('There is no prompt'), l10n.t('Describe the picture, then generate it.'));
  if (request.model === '') throw new UserError(l10n.t('No model is chosen'), l10n.t('Choose or type a model.'));
  const [issue] = issues;
  if (issue) throw new UserError(l10n.t('A value cannot be sent: {0}', issue.field), problemWords(issue));
  const size = planOf(reading);
  if (size.requests > mostRequests)
    throw new UserError(
      l10n.t('That is too much at once'),
      l10n.t('{0} requests; at most {1} are ordered together. Vary less.', size.requests, mostRequests),
    );
  if (!(await isConfirmed(size, controller))) return;
  const requests = expandSweep(request, sweep, { random: Math.random, most: mostRequests });
  await submitRequests(controller, requests, services);
}

/** Sends requests unchanged, with the active profile. */
export async function submitRequests(
  controller: ImagesController,
  requests: readonly ImageRequest[],
  { profiles }: Services,
): Promise<void> {
  const profile = profiles.active;
  if (!profile)
    throw new UserError(l10n.t('You are not signed in'), l10n.t('Sign in to make pictures.'), [
      { id: 'signIn', label: l10n.t('Sign in') },
    ]);
  await submitRequestsTo(controller, requests, { profileId: profile.id, baseUrl: profile.baseUrl });
}

/** Sends requests unchanged, with this profile and base URL. */
export async function submitRequestsTo(
  controller: ImagesController,
  requests: readonly ImageRequest[],
  { profileId, baseUrl }: OrderedFrom,
): Promise<void> {
  controller.say([]);
  const run = await controller.runs.start({ profileId, baseUrl }, requests);
  controller.want(run.id);
}

/** Asks for confirmation above `askedAbove` images. */
export async function isConfirmed(
  { pictures, requests }: { readonly pictures: number; readonly requests: number },
  controller: ImagesController,
): Promise<boolean> {
  if (pictures <= askedAbove) return true;
  const { language } = vscode.env;
  const number = (value: number) => numberText(value, language);
  const detail = [
    l10n.t('Each picture is paid for. It can be stopped at any time; what was sent until then comes.'),
    lastSentText({ requests, pictures }, controller.pace()),
  ];
  const yes = l10n.t('Make {0} pictures', number(pictures));
  const chosen = await showMessage(
    'warning',
    l10n.t('Make {0} pictures in {1} requests?', number(pictures), number(requests)),
    { modal: true, detail: detail.filter(Boolean).join('\n') },
    yes,
  );
  return chosen === yes;
}
