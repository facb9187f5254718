import * as vscode from 'vscode';

const checkTaskType = 'inferenceDesk.checkBatch';
const matcher = '$inference-desk-batch';

/** A task definition from the user's `tasks.json`; its values are checked when read. */
interface CheckTaskDefinition extends vscode.TaskDefinition {
  readonly files?: unknown;
  readonly models?: unknown;
  readonly service?: unknown;
}

/**
 * Tasks that check batch files with the command-line program, run by VS Code's own Node. VS Code requests them in windows in which nobody
 * uses the extension, so this imports nothing, and is localized by VS Code.
 */
export function createCheckTasks(context: vscode.ExtensionContext): vscode.TaskProvider {
  const program = context.asAbsolutePath('dist/checkBatch.js');
  const make = (definition: CheckTaskDefinition, name: string, scope?: vscode.WorkspaceFolder | vscode.TaskScope) =>
    makeTask(definition, name, { program, service: activeBaseUrl(context) }, scope);
  return {
    provideTasks: () => [make({ type: checkTaskType, files: ['${file}'] }, vscode.l10n.t('check the open batch file'))],
    resolveTask: ({ definition, name, scope }) => make(definition, name, scope),
  };
}

/** Returns the base URL of the active account, as `services/account/profiles.ts` chooses it. */
function activeBaseUrl({ workspaceState, globalState }: vscode.ExtensionContext): string | undefined {
  const stored = vscode.workspace
    .getConfiguration('inferenceDesk')
    .inspect<readonly unknown[]>('profiles')?.globalValue;
  const profiles = (Array.isArray(stored) ? stored : []) as readonly {
    readonly id?: unknown;
    readonly baseUrl?: unknown;
  }[];
  const chosen = [workspaceState, globalState].flatMap((state) => {
    const id = state.get('activeProfile');
    return profiles.filter((profile) => profile?.id === id);
  });
  const { baseUrl } = [...chosen, ...profiles][0] ?? {};
  return typeof baseUrl === 'string' && /^https?:\/\//i.test(baseUrl) ? baseUrl : undefined;
}

function makeTask(
  definition: CheckTaskDefinition,
  name: string,
  { program, service: own }: { readonly program: string; readonly service: string | undefined },
  scope: vscode.WorkspaceFolder | vscode.TaskScope = vscode.TaskScope.Workspace,
): vscode.Task {
  const files = textsOf(definition.files);
  const models = textsOf(definition.models).flatMap((file) => ['--models', file]);
  const service = textsOf(definition.service ?? own).flatMap((one) => ['--service', one]);
  const folder = typeof scope === 'object' ? scope.uri.fsPath : vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const execution = new vscode.ProcessExecution(
    process.execPath,
    [program, '--absolute', ...service, ...models, '--', ...files],
    {
      // Makes desktop VS Code's executable run as Node. Has no effect if it already is Node.
      env: { ELECTRON_RUN_AS_NODE: '1' },
      ...(folder !== undefined && { cwd: folder }),
    },
  );
  return new vscode.Task(definition, scope, name, 'Inference Desk', execution, matcher);
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}
