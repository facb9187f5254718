import { l10n } from 'vscode';
import { imagesOf } from '../../../core/imageRuns/sweep';
import { runCommand } from '../../../platform/contributions';
import { rememberCopied } from '../../../services/images/copiedImage';
import { UserError } from '../../../platform/errors/userError';
import type { TileAction } from '../../../protocol/images';
import type { Services } from '../../../services/services';
import { HeldElsewhere } from '../../../core/storage/leases';
import { failedRequests, itemsOf, retryRequests } from '../runs/retries';
import { sentElsewhere } from '../runs/runProblems';
import { isTileStep } from '../runs/tileState';
import type { TilePlace } from '../runs/tileView';
import type { ImagesController } from './imagesController';
import { isConfirmed, submitRequestsTo } from './submitImages';

/** Runs an action on a saved image. */
export async function actOnTile(
  tile: string,
  action: TileAction,
  { controller }: { readonly controller: ImagesController },
): Promise<void> {
  const path = controller.placeOf(tile)?.path;
  if (path === undefined) throw notHere();
  return runCommand(`inferenceDesk.media.${action}`, path);
}

/** Remembers that a saved image was copied to the clipboard, so that pasting it into a text can insert its path. */
export async function rememberTile(tile: string, pixels: string, { controller, services }: TileParts): Promise<void> {
  const path = controller.placeOf(tile)?.path;
  if (path !== undefined) await rememberCopied({ path, pixels }, services.context.globalState);
}

/** Runs an action that a tile offers. Ignores unknown ids: the page is not trusted. */
export async function stepOfTile(tile: string, action: string, { controller, services }: TileParts): Promise<void> {
  const place = controller.placeOf(tile);
  if (!place || !isTileStep(action)) return;
  const { job } = place;
  if (action === 'again') return again(tile, place, { controller, services });
  if (!job) throw notHere();
  const exchange = job.trouble?.error?.exchangeId;
  if (action === 'exchange') {
    if (exchange !== undefined) await runCommand('inferenceDesk.showExchange', exchange);
    return;
  }
  await services.media.fetchAgain(job.id, { evenIfLarge: action === 'fetchAnyway' });
}

interface TileParts {
  readonly controller: ImagesController;
  readonly services: Services;
}

/** Retries a failed request in its place; one that may have produced paid images is sent again as a separate run. */
async function again(tile: string, { item, job }: TilePlace, { controller, services }: TileParts): Promise<void> {
  const [run = '', at] = tile.split('.');
  const failed = failedRequests(controller.runs, services).find(
    ({ id, items }) => id === run && items.includes(Number(at)),
  );
  if (failed) return retryRequests({ ...failed, items: [Number(at)] }, controller.runs);
  if (!job) throw notHere();
  // To the service it was first sent to, whichever is active now.
  await submitRequestsTo(controller, [item.request], job);
}

/** Retries all failed requests. Does nothing if there are many and the user declines. */
export async function retryFailed({ controller, services }: TileParts): Promise<void> {
  const { runs } = controller;
  const failed = failedRequests(runs, services);
  const requests = failed.flatMap((one) => itemsOf(one, runs).map(({ request }) => request));
  const pictures = requests.reduce((sum, request) => sum + imagesOf(request), 0);
  if (!(await isConfirmed({ requests: requests.length, pictures }, controller))) return;
  for (const one of failed) await retryRequests(one, runs);
}

export async function clearFailed({ controller, services }: TileParts): Promise<void> {
  const { runs } = controller;
  for (const failed of failedRequests(runs, services)) {
    const jobs = itemsOf(failed, runs).flatMap(({ jobId }) => jobId ?? []);
    await runs.clear(failed.id, failed.items).catch((error: unknown) => {
      throw error instanceof HeldElsewhere ? sentElsewhere() : error;
    });
    if (failedRequests(runs, services).some(({ id }) => id === failed.id)) continue;
    for (const id of jobs) await services.media.forget(id);
  }
}

function notHere(): UserError {
  return new UserError(
    l10n.t('The picture is not here any more'),
    l10n.t('Its file or its record was removed. The gallery shows what is there.'),
  );
}
