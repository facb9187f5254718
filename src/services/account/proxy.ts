import * as vscode from 'vscode';

const variables = ['https_proxy', 'http_proxy', 'all_proxy'];

/** Whether the editor's settings or the environment name a proxy. A proxy only the system knows cannot be seen from here. */
export function isProxyConfigured(environment: Readonly<Record<string, string | undefined>>): boolean {
  const http = vscode.workspace.getConfiguration('http');
  if (http.get('proxySupport') === 'off') return false;
  if (isNamed(http.get('proxy'))) return true;
  // In a remote window the proxy may be set for the local machine alone; the typings do not know that part.
  const inspected: object = http.inspect('proxy') ?? {};
  if ('globalLocalValue' in inspected && isNamed(inspected.globalLocalValue)) return true;
  return variables.some((name) => isNamed(environment[name]) || isNamed(environment[name.toUpperCase()]));
}

const isNamed = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
