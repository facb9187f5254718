import { known } from './curated';
import type { Question } from './question';
import type { Skill } from './skill';

const asksMeaning =
  /\bwhat(?:'s| is| are| does)\b|\bexplain\b|\bdefine\b|\bmean(?:s|ing)?\b|\bdescribe\b|\btell me about\b|\bhow (?:do|does|is|are)\b.*\bwork|^\W*(?:a |an |the )?[\w -]{2,24}\?*$|什么是|是什么|解释|含义|什么意思|介绍/i;

const curatedFor = ({ ask, material }: Question) =>
  known.find(({ asked }) => asked.test(`${ask}\n${material.slice(0, 400)}`));

function terms({ ask, material }: Question): readonly (readonly [en: string, zh: string])[] {
  if (material !== '' || ask.length > 200 || !asksMeaning.test(ask)) return [];
  return glossary
    .filter((entry) => entry.named.test(ask))
    .slice(0, 3)
    .map(({ en, zh }) => [en, zh]);
}

/** Answers questions and terms that have a prepared answer. */
export const knownSkill: Skill = {
  name: 'known',
  fits: (question) => curatedFor(question) !== undefined || terms(question).length > 0,
  write: (question) => {
    const { say, voice } = question;
    const found = curatedFor(question);
    if (found === undefined)
      return terms(question)
        .map((pair) => say(...pair))
        .join('\n\n');
    const more = found.more === undefined || voice % 2 === 1 ? [] : [say(...found.more)];
    return [say(found.en, found.zh), ...more].join('\n\n');
  },
};

interface GlossaryEntry {
  readonly named: RegExp;
  readonly en: string;
  readonly zh: string;
}

/** A few terms that people ask a new tool about. */
const glossary: readonly GlossaryEntry[] = [
  {
    named: /\bidempoten\w*|幂等/i,
    en: 'An **idempotent** request has the same effect whether it is sent once or several times, so it may be sent again after a failure. `GET`, `PUT` and `DELETE` are meant to be so; `POST` is not.',
    zh: '**幂等**的请求发送一次或多次效果相同，因此失败后可以重发。`GET`、`PUT` 和 `DELETE` 应当如此，`POST` 则不是。',
  },
  {
    named: /\bevent loop\b|事件循环/i,
    en: 'An **event loop** takes one finished event at a time from a queue and runs its callback to the end. Nothing else runs meanwhile, so a long callback delays everything behind it.',
    zh: '**事件循环**每次从队列取出一个已就绪的事件，把它的回调执行完才取下一个；回调太久，后面的一切都要等。',
  },
  {
    named: /\bclosures?\b|闭包/i,
    en: 'A **closure** is a function together with the variables it could see where it was written; it keeps them alive after that place has returned.',
    zh: '**闭包**是函数连同它定义处可见的变量；外层返回之后，这些变量仍由它保留。',
  },
  {
    named: /\bpromises?\b|\basync\b|\bawait\b/i,
    en: 'A **promise** stands for a value that is not there yet. `await` pauses the function, not the program, until the value or an error arrives.',
    zh: '**Promise** 代表尚未到来的值；`await` 暂停的是函数而不是程序，直到得到值或错误。',
  },
  {
    named: /\brecursion\b|\brecursive\b|递归/i,
    en: '**Recursion** solves a task by a smaller one of the same kind. It needs a case that stops and a step that always comes closer to it.',
    zh: '**递归**用同类的更小问题来解决问题；必须有终止情形，并且每一步都更接近它。',
  },
  {
    named: /\bmutex(es)?\b|\block(s|ing)?\b|互斥|锁/i,
    en: 'A **mutex** lets one thread at a time into a section of code. Hold it briefly, and always take several in the same order.',
    zh: '**互斥锁**一次只放一个线程进入临界区；持有要短，多把锁要按同一顺序获取。',
  },
  {
    named: /\bSSE\b|server-sent|流式/i,
    en: '**Server-sent events** are a long HTTP answer of text lines: `event:` names the kind, `data:` carries the payload, an empty line ends the event.',
    zh: '**SSE** 是一条长时间打开的 HTTP 文本响应：`event:` 是类型，`data:` 是内容，空行结束一个事件。',
  },
  {
    named: /\brate limit(s|ing)?\b|限流|速率限制/i,
    en: 'A **rate limit** caps requests, tokens or images per minute, hour or day. On a 429, wait as `Retry-After` says, or a little longer each time; a daily limit is not worth retrying.',
    zh: '**速率限制**约束每分钟、每小时或每天的请求、token 或图片数；遇到 429 按 `Retry-After` 等待或逐次延长，按天的限制不必重试。',
  },
  {
    named: /\brerank(er|ing)?\b|重排/i,
    en: 'A **reranker** reads the query and each document together and gives each a relevance score. It is slower than a vector search and puts a short list in better order.',
    zh: '**重排模型**把查询和每篇文档放在一起读，给出相关性分数；比向量检索慢，但能把短名单排得更准。',
  },
  {
    named: /\bembeddings?\b|向量/i,
    en: 'An **embedding** is a list of numbers for a text, made so that texts of like meaning lie close together.',
    zh: '**嵌入向量**是文本对应的一串数字，意思相近的文本彼此靠近。',
  },
  {
    named: /\bBM25\b/i,
    en: '**BM25** scores a document by the query words in it: rare words count more, repeats count less each time, and long documents are discounted.',
    zh: '**BM25** 按查询词给文档打分：词越稀有权重越高，重复递减，长文档打折。',
  },
  {
    named: /\bbatch(es)?\b|批处理|批量/i,
    en: 'A **batch** is a file with one request per line, worked off within a window of a day or more at a lower price; answers come as a file too, joined by `custom_id`.',
    zh: '**批处理**是每行一个请求的文件，在一天或更长的窗口内以更低价格完成；结果也是文件，用 `custom_id` 对应。',
  },
  {
    named: /\bJSON ?L(ines)?\b/i,
    en: '**JSON Lines** is text with one JSON value per line. One can append to it, cut it anywhere at a line end, and read it without holding it whole.',
    zh: '**JSON Lines** 每行一个 JSON 值：可以追加，可以在行尾切开，读取时不必整体载入。',
  },
  {
    named: /\btokens?\b|分词/i,
    en: 'A **token** is the piece of text a model reads and writes at once: about four letters of English, or one to two Chinese characters.',
    zh: '**token** 是模型一次读写的文本片段：约四个英文字母，或一到两个汉字。',
  },
  {
    named: /\btemperature\b|温度/i,
    en: '**Temperature** spreads or narrows the choice of the next token: near 0 the likeliest wins, above 1 surprises become common.',
    zh: '**温度**决定下一个 token 选择的宽窄：接近 0 时总取最可能的，超过 1 时意外变多。',
  },
  {
    named: /\bgit rebase\b|\brebase\b|变基/i,
    en: '**Rebase** replays your commits on top of another one, so that history reads in a line. Do it to what only you have; others must not have built on it.',
    zh: '**变基**把你的提交重放到另一个提交之上，使历史成为一条线；只对尚未共享的提交这样做。',
  },
  {
    named: /\bcache\b|\bcaching\b|缓存/i,
    en: 'A **cache** keeps an answer near to where it is asked for. The hard part is knowing when the kept answer is no longer true.',
    zh: '**缓存**把答案留在离提问处近的地方；难点在于知道它何时失效。',
  },
  {
    named: /\bTLS\b|\bHTTPS\b|证书/i,
    en: '**TLS** encrypts a connection and proves by a certificate whom it leads to; a proxy that opens it needs a certificate that the machine trusts.',
    zh: '**TLS** 加密连接，并用证书证明对端身份；解开流量的代理需要本机信任的证书。',
  },
];
