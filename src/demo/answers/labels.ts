import type { Question } from './question';

const verb = String.raw`\b(?:label|classify|categori[sz]e|tag)\b[^:?\n]*?`;

/** “Classify as a or b: …” and “Label the message: a, b or c.”, also in the system prompt. */
const forms: readonly RegExp[] = [
  new RegExp(String.raw`${verb}\b(?:as|into|one of)\b:? *([^.:?\n]+)`, 'i'),
  new RegExp(String.raw`${verb}: *([^.?\n]+)`, 'i'),
  /\banswer (?:\w+ ){0,4}one word: *([^.?\n]+)/i,
  /(?:标注|分类|归类)[^：:\n]*[：:]\s*([^。？\n]+)/,
];

/** Words that indicate a label, besides the label itself. */
const signs: readonly (readonly [label: RegExp, sign: RegExp])[] = [
  [/bill|pay|invoice|账单|付款/i, /charg|refund|invoice|paid|card|vat|subscri|price|退款|发票|扣款/i],
  [
    /deliver|ship|物流|配送/i,
    /parcel|package|courier|deliver|depot|saturday|address|arriv|\blate\b|(?:days|weeks) late|包裹|快递|送达|迟/i,
  ],
  [
    /product|产品/i,
    /flicker|dimm|lamp|desk\b|chair|drawer|motor|clamp|leather|plastic|paper|manual|screen|solid|comfort|quality|light\b|heavy|worth|灯|桌|椅|质量/i,
  ],
  [/bug|error|defect|fault|故障|错误/i, /crash|error|fail|blank|broken|does not|doesn't|崩溃|报错|失败/i],
  [/wish|feature|idea|request|建议|需求/i, /please add|would be|could you|can the|i would like|nice|希望|建议|能不能/i],
  [/account|login|sign|账号|登录/i, /password|log ?in|sign ?in|account|密码|登录/i],
  [
    /positive|good|praise|正面|好评/i,
    /love|great|best|thank|perfect|beautiful|wonderful|happy|nice|喜欢|很好|满意|漂亮|美/i,
  ],
  [
    /negative|bad|complain|负面|差评/i,
    /bad|worst|\blate\b|wrong|never|disappoint|broke|scratch|flicker|stopped|差|失望|糟糕|坏|晚|迟/i,
  ],
];

const labelsOf = (text: string, form: RegExp): readonly string[] =>
  (form.exec(text)?.[1] ?? '')
    .split(/,\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+|[、，]|或者?|还是/)
    .map((label) => label.trim().replaceAll(/^["'`“”]+|["'`“”]+$/g, ''))
    .filter((label) => label !== '');

function requestedLabels({
  ask,
  system,
}: Question): { readonly labels: readonly string[]; readonly text: string } | undefined {
  for (const source of [ask, system]) {
    for (const form of forms) {
      const labels = labelsOf(source, form);
      const areShort = labels.every((label) => label.split(/\s+/).length <= 3);
      if (labels.length > 1 && areShort) return { labels, text: ask.replace(form, ' ') };
    }
  }
  return undefined;
}

/** Returns how strongly a text indicates a label. */
export function weight(label: string, text: string): number {
  if (/^(?:mixed|both|褒贬不一|混合)$/i.test(label))
    return 1.5 * Math.min(weight('positive', text), weight('negative', text));
  if (/^(?:other|none|neutral|其他|中性)$/i.test(label)) return 0.5;
  const own = text.toLowerCase().includes(label.toLowerCase()) ? 2 : 0;
  const found = signs.filter(([of]) => of.test(label)).flatMap(([, sign]) => text.match(new RegExp(sign, 'gi')) ?? []);
  return own + found.length;
}

/** Returns the label that a text indicates most strongly; the first label if it indicates none. */
export const bestLabel = (labels: readonly string[], text: string): string =>
  labels.toSorted((a, b) => weight(b, text) - weight(a, text))[0] ?? '';

/** Answers with only one of the labels to choose from. Returns `undefined` without labels. */
export function answerLabel(question: Question): string | undefined {
  const found = requestedLabels(question);
  return found === undefined ? undefined : bestLabel(found.labels, `${found.text}\n${question.material}`);
}
