import { Uri } from 'vscode';
import { missingEndpoint } from '../../core/api/errors';
import { runCommand } from '../../platform/contributions';
import { describe, runAction } from '../../platform/errors/reportError';
import { showMessage } from '../../platform/notify';
import { titled } from '../../protocol/sentences';
import type { SubmitSource } from './submitSource';

/** Says that the service has no batches, and offers to run the file on this machine instead. */
export async function offerLocalRun(source: SubmitSource): Promise<void> {
  const { title, detail, actions } = describe(missingEndpoint('POST /batches'));
  const chosen = await showMessage('information', titled(title, detail), ...actions.map(({ label }) => label));
  const action = actions.find(({ label }) => label === chosen);
  if (action?.id === 'runLocally')
    await runCommand('inferenceDesk.batchFile.runLocally', source.kind === 'disk' ? Uri.file(source.path) : undefined);
  else if (action) await runAction(action.id);
}
