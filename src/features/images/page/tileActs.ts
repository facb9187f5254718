import { l10n } from 'vscode';
import { runCommand } from '../../../platform/contributions';
import { UserError } from '../../../platform/userError';
import type { TileAction } from '../../../protocol/images';
import type { Services } from '../../../services';
import { isTileStep } from '../runs/tileState';
import type { ImagesDesk } from './imagesDesk';
import { orderFrom } from './orders';

/** Does something with a picture that is here. */
export async function actOnTile(
  tile: string,
  action: TileAction,
  { desk }: { readonly desk: ImagesDesk },
): Promise<void> {
  const path = desk.placeOf(tile)?.path;
  if (path === undefined) throw notHere();
  return runCommand(`inferenceDesk.media.${action}`, path);
}

/** A step that a tile offered. Ids that are no step known here do nothing: the page is not trusted. */
export async function stepOfTile(
  tile: string,
  action: string,
  { desk, services }: { readonly desk: ImagesDesk; readonly services: Services },
): Promise<void> {
  const place = desk.placeOf(tile);
  if (!place || !isTileStep(action)) return;
  const { item, job } = place;
  if (!job) throw notHere();
  // To the service that it was sent to, whichever is active now.
  if (action === 'again') return orderFrom(desk, [item.request], job);
  const exchange = job.trouble?.error?.exchangeId;
  if (action === 'exchange') {
    if (exchange !== undefined) await runCommand('inferenceDesk.showExchange', exchange);
    return;
  }
  await services.media.fetchAgain(job.id, { evenIfLarge: action === 'fetchAnyway' });
}

function notHere(): UserError {
  return new UserError(
    l10n.t('The picture is not here any more'),
    l10n.t('Its file or its record was removed. The gallery shows what is there.'),
  );
}
