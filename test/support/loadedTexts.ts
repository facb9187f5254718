import { parseSync, visitorKeys, type Node } from 'oxc-parser';

type AnyNode = Node & Readonly<Record<string, unknown>>;

/**
 * Returns the calls of `l10n.t` in a source that run while the module is loaded: outside functions, in static members, and in functions of the
 * module that are called there. They would be in English, because translations are set later.
 */
export function textsWordedAtLoad(file: string, source: string): readonly string[] {
  const { program } = parseSync(file, source);
  const functions = new Map<string, AnyNode>();
  const inspect = (node: AnyNode, visit: (node: AnyNode) => boolean): void => {
    if (!visit(node)) return;
    for (const key of visitorKeys[node.type] ?? [])
      for (const child of [node[key]].flat()) if (child) inspect(child as AnyNode, visit);
  };
  for (const statement of program.body) {
    const declaration = (
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement
    ) as AnyNode;
    if (declaration.type === 'FunctionDeclaration' && declaration.id)
      functions.set((declaration.id as { name: string }).name, declaration.body as AnyNode);
    if (declaration.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations as unknown as readonly { id: AnyNode; init: AnyNode | null }[])
      if (init && isFunction(init)) functions.set(String(id['name']), init.body as AnyNode);
  }
  const found = new Set<string>();
  const run = new Set<string>();
  const visit = (node: AnyNode): boolean => {
    if (isFunction(node) || (node.type === 'PropertyDefinition' && !node.static)) return false;
    if (node.type === 'CallExpression') {
      const callee = source.slice(node.callee.start, node.callee.end);
      if (/\bl10n\.t$/.test(callee)) found.add(`${file}: ${source.slice(node.start, node.end)}`);
      const body = functions.get(callee);
      if (body && !run.has(callee)) {
        run.add(callee);
        inspect(body, visit);
      }
      // A function that is called where it is written.
      let called = node.callee as AnyNode;
      while (called.type === 'ParenthesizedExpression') called = called.expression as AnyNode;
      if (isFunction(called)) inspect(called.body as AnyNode, visit);
    }
    return true;
  };
  inspect(program as unknown as AnyNode, visit);
  return [...found];
}

function isFunction(node: AnyNode): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}
