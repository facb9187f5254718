import * as vscode from 'vscode';
import { abortable } from '../../core/agentTools/abortable';
import { AgentProblem } from '../../core/agentTools/agentTool';
import type { AgentToolName } from '../../core/agentTools/toolNames';
import { chooseVideoModel } from '../../core/agentTools/videoModel';
import { chooseModel } from '../../core/catalogue/jobs';
import { isSameService } from '../../core/jobs/sameService';
import { stampOf } from '../../services/batches/check/checkOneFile';
import type { Profile } from '../../services/account/profiles';
import type { ToolServices, OrderCheck } from './host/toolServices';
import { providedFile } from './host/providedFile';

export type Input = Readonly<Record<string, unknown>>;

/** What a person is asked to confirm, as it is at that time. */
export interface Asked {
  readonly profile: Profile | undefined;
  /** The named model, or the default one. `undefined`: none is known, or the lines of a file name their own. */
  readonly model: string | undefined;
  readonly file: AskedFile | undefined;
}

export interface AskedFile {
  readonly given: string;
  /** `undefined` if there is no file that may be read. */
  readonly uri: vscode.Uri | undefined;
  readonly stamp: string | undefined;
}

/** A service that does not respond must not block the question. */
const longestWaitMs = 5000;
const mostKept = 50;

export async function askedOf(name: AgentToolName, input: Input, services: ToolServices): Promise<Asked> {
  const profile = services.profiles.active;
  const file = await fileOf(input, services);
  const isOfLines = name === 'inferenceDesk_submitBatch';
  const model = typeof input['model'] === 'string' ? input['model'] : undefined;
  return {
    profile,
    file,
    model: model ?? (isOfLines ? undefined : await usualModelOf(name, input, services)),
  };
}

/**
 * Checks a request against everything that was asked with the same input, because the editor does not report which of them the person
 * confirmed.
 */
export function checkOf(all: readonly Asked[], services: ToolServices): OrderCheck {
  const [first] = all;
  return {
    profileId: first?.profile?.id,
    async check(model) {
      for (const asked of all) await checkAsked(asked, model, services);
    },
  };
}

/** Questions whose request has not been sent yet. The editor identifies neither, so both are matched by the tool and its input. */
export class ConfirmedRequests {
  private kept: readonly { readonly key: string; readonly asked: Asked }[] = [];

  keep(name: AgentToolName, input: Input, asked: Asked): void {
    this.kept = [...this.kept, { key: keyOf(name, input), asked }].slice(-mostKept);
  }

  /** Returns the matching questions and removes one of them. Empty if the person was not asked. */
  take(name: AgentToolName, input: Input): readonly Asked[] {
    const found = this.kept.filter(({ key }) => key === keyOf(name, input));
    this.kept = this.kept.filter((one) => one !== found[0]);
    return found.map(({ asked }) => asked);
  }

  forget(name: AgentToolName, input: Input): void {
    this.kept = this.kept.filter(({ key }) => key !== keyOf(name, input));
  }
}

const keyOf = (name: AgentToolName, input: Input): string => JSON.stringify([name, input]);

async function checkAsked(
  { profile, model, file }: Asked,
  ordered: string | undefined,
  services: ToolServices,
): Promise<void> {
  const { active } = services.profiles;
  const isSameProfile =
    active?.id === profile?.id && (!active || !profile || isSameService(active.baseUrl, profile.baseUrl));
  if (!isSameProfile) throw changed(`The active profile is now "${active?.name ?? 'none'}", which is another than`);
  if (ordered !== model) {
    const before = model === undefined ? 'No model was known' : `It was "${model}"`;
    throw changed(`The model would be "${ordered ?? 'that of each line'}". ${before}`);
  }
  if (!file) return;
  const { uri } = await providedFile(file.given, services);
  const isSame = uri.toString() === file.uri?.toString() && (await stampAt(uri)) === file.stamp;
  if (!isSame) throw changed(`The file "${file.given}" is not what it was`);
}

function changed(what: string): AgentProblem {
  return new AgentProblem(
    `${what} when the person was asked, so nothing was sent. Call it again, so that they are asked about it as it is now.`,
  );
}

async function fileOf(input: Input, services: ToolServices): Promise<AskedFile | undefined> {
  const given = input['file'] ?? input['picture'];
  if (typeof given !== 'string') return undefined;
  const found = await providedFile(given, services).catch(() => undefined);
  return { given, uri: found?.uri, stamp: found && (await stampAt(found.uri)) };
}

async function stampAt(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme === 'file') return stampOf(uri.fsPath);
  return vscode.workspace.fs.stat(uri).then(
    ({ size, mtime }) => `${size} ${mtime}`,
    () => undefined,
  );
}

/** Returns the model the tool would choose from the current list. */
async function usualModelOf(name: AgentToolName, input: Input, { models }: ToolServices): Promise<string | undefined> {
  const known = await abortable(models.ensureFresh(), AbortSignal.timeout(longestWaitMs)).catch(() => models.state);
  const withPicture = input['picture'] !== undefined;
  return name === 'inferenceDesk_submitVideo' ? chooseVideoModel(known, withPicture) : chooseModel('image', known);
}
