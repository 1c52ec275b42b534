/**
 * A program around Binance's generated decoders (schema 3:4), where Rust is there and a copy lies beside the project:
 * `git clone https://github.com/binance/binance-sbe-rust-sample-app ../binance-sbe-rust-sample-app`. It reads messages, each
 * behind its length, and prints every member of each as a line of JSON: numbers as texts, texts in hexadecimal. Nothing of
 * the copy is in this project.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Field, Member, Members } from '../../src/api/sbe/fields.ts'
import { templates } from '../../src/api/sbe/templates.ts'
import type { Message, Value, Values } from '../fixtures/sbe.ts'

const sources = '../binance-sbe-rust-sample-app/spot_sbe/src'

export const hasOfficialDecoder = (): boolean =>
  fs.existsSync(sources) && spawnSync('rustc', ['--version']).status === 0

/** A member in the decoders' words. */
const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Compiles the program into the folder. Returns its file. */
export function buildOfficialDecoder(folder: string): string {
  const main = path.join(folder, 'main.rs')
  fs.writeFileSync(main, program())
  const rustc = (...args: readonly string[]) =>
    execFileSync('rustc', ['--edition', '2021', ...args], { cwd: folder, stdio: 'pipe' })
  const library = path.join(folder, 'libspot_sbe.rlib')
  const crate = ['--crate-type', 'lib', '--crate-name', 'spot_sbe', '-o', library]
  rustc(...crate, path.resolve(sources, 'lib.rs'))
  const file = path.join(folder, 'decode')
  rustc('--extern', `spot_sbe=${library}`, '-o', file, main)
  return file
}

/** Returns what the decoders read. */
export function officiallyDecoded(file: string, messages: readonly Uint8Array[]): unknown[] {
  const input = messages.flatMap((bytes) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return [length, bytes]
  })
  const output = execFileSync(file, { input: Buffer.concat(input), maxBuffer: 2 ** 30 })
  return String(output)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** What they are to read of a message. */
export const expectedOf = ({ id, members, values }: Message): object => ({
  id,
  values: expectedMembers(members, values),
})

const expectedMembers = (members: Members, values: Values): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, one]) => [name, expectedMember(one, values[name]!)]),
  )

function expectedMember(one: Member, value: Value): unknown {
  if (one.is === 'group') {
    return (value as readonly Values[]).map((entry) => expectedMembers(one.members, entry))
  }
  if (one.is === 'text') return Buffer.from(value as string).toString('hex')
  if (one.is === 'field') return expectedField(one, value)
  return value === null ? null : expectedOf(value as Message)
}

function expectedField({ shows, primitive }: Field, value: Value): string | null {
  // They have a value of the enum for null.
  if (value === null) return shows === 'code' || shows === 'flag' ? '255' : null
  if (primitive !== 'float') return `${value}`
  return `${new Uint32Array(new Float32Array([value as number]).buffer)[0]}`
}

function program(): string {
  const files = new Map(
    fs.readdirSync(sources).flatMap((name) => {
      const text = fs.readFileSync(path.join(sources, name), 'utf8')
      const id = /SBE_TEMPLATE_ID: u16 = (\d+)/.exec(text)?.[1]
      const decoder = /pub use decoder::(\w+)/.exec(text)?.[1]
      return id === undefined ? [] : [[Number(id), `${path.parse(name).name}::${decoder}`] as const]
    }),
  )
  const readers = templates.map(({ id, members }) => {
    const begin = `let mut d0 = ${files.get(id)}::default().header(header, 0);`
    const lines = [
      `        ${id} => {`,
      begin,
      ...read(members, 0),
      'end = d0.get_limit();',
      'o0 }',
    ]
    return lines.join('\n')
  })
  return PROGRAM.replace('READERS', readers.join('\n'))
}

/** Lines that read members of the decoder at a depth into a list of texts. */
const read = (members: Members, depth: number): readonly string[] => [
  `let mut o${depth}: Vec<String> = Vec::new();`,
  ...Object.entries(members).flatMap(([name, one]) => readMember(name, one, depth)),
]

function readMember(name: string, one: Member, depth: number): readonly string[] {
  const [d, inner, list, own] = [`d${depth}`, `d${depth + 1}`, `list${depth}`, snake(name)]
  const push = (value: string) => `o${depth}.push(format!("\\"${name}\\":{}", ${value}));`
  if (one.is === 'field') return [push(`${fieldOf(one, `${d}.${own}()`)}.show()`)]
  if (one.is === 'group') {
    return [
      `let mut ${list}: Vec<String> = Vec::new();`,
      `let mut ${inner} = ${d}.${own}_decoder();`,
      `while let Some(_) = ${inner}.advance().unwrap() {`,
      ...read(one.members, depth + 1),
      `${list}.push(format!("{{{}}}", o${depth + 1}.join(",")));`,
      '}',
      `${d} = ${inner}.parent().unwrap();`,
      push(`format!("[{}]", ${list}.join(","))`),
    ]
  }
  const slice = `${d}.${own}_slice(at)`
  const shown = one.is === 'text' ? `text(${slice})` : `message(${slice})`
  return [`let at = ${d}.${own}_decoder();`, push(shown)]
}

function fieldOf({ shows }: Field, value: string): string {
  if (shows === 'code' || shows === 'flag' || shows === 'deprecated') return `u8::from(${value})`
  return shows === 'set' ? `${value}.0` : value
}

const PROGRAM = `
#![allow(unused_mut, unused_assignments, unused_variables)]
use spot_sbe::message_header_codec::MessageHeaderDecoder;
use spot_sbe::*;
use std::io::Read;

trait Show {
    fn show(&self) -> String;
}
macro_rules! numbers {
    ($($number:ty),*) => { $(impl Show for $number {
        fn show(&self) -> String { format!("\\"{}\\"", self) }
    })* };
}
numbers!(i8, u8, i16, u16, i32, u32, i64, u64, i128);
impl Show for f32 {
    fn show(&self) -> String { self.to_bits().show() }
}
impl Show for [u8; 16] {
    fn show(&self) -> String { i128::from_le_bytes(*self).show() }
}
impl<T: Show> Show for Option<T> {
    fn show(&self) -> String { self.as_ref().map_or("null".to_string(), |value| value.show()) }
}

fn text(bytes: &[u8]) -> String {
    format!("\\"{}\\"", bytes.iter().map(|byte| format!("{:02x}", byte)).collect::<String>())
}

fn message(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "null".to_string();
    }
    let header = MessageHeaderDecoder::default().wrap(ReadBuf::new(bytes), 0);
    let (id, mut end) = (header.template_id(), 0);
    let o = match id {
READERS
        _ => panic!("template {}", id),
    };
    assert_eq!(end, bytes.len(), "template {}", id);
    format!("{{\\"id\\":{},\\"values\\":{{{}}}}}", id, o.join(","))
}

fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let mut at = 0;
    while at < input.len() {
        let length = u32::from_le_bytes(input[at..at + 4].try_into().unwrap()) as usize;
        println!("{}", message(&input[at + 4..at + 4 + length]));
        at += 4 + length;
    }
}
`
