import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressScope, classifyAddress } from './classify-address.ts';

describe('classifyAddress', () => {
  it.each<[AddressScope, string]>([
    [
      'public',
      '93.184.215.14 1.1.1.1 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 192.167.0.1 223.255.255.255',
    ],
    ['public', '2606:2800:21f:cb07:6820:80da:af6b:8b2c 2a00:1450:4001::1 [2a00:1450:4001::1] 2000:: 3ffe::1'],
    ['loopback', '127.0.0.1 127.255.255.254 ::1 [::1] 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::FFFF:7f00:1'],
    ['private', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fdff::1 fec0::1 ::ffff:10.0.0.1 64:ff9b:1::1'],
    ['link-local', '169.254.0.1 169.254.255.255 fe80::1 fe80::1%eth0 [fe80::1%3] febf::1 ::ffff:169.254.1.1'],
    ['metadata', '169.254.169.254 169.254.170.2 168.63.129.16 100.100.100.200 fd00:ec2::254 fd00:0ec2:0::0254'],
    ['metadata', '::ffff:169.254.169.254 ::ffff:a9fe:a9fe 64:ff9b::169.254.169.254 2002:a9fe:a9fe::1'],
    ['carrier-grade', '100.64.0.1 100.127.255.255 ::ffff:100.64.0.1'],
    ['multicast', '224.0.0.1 239.255.255.255 ff02::1'],
    ['reserved', '0.0.0.0 0.1.2.3 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 240.0.0.1 255.255.255.255'],
    ['reserved', ':: 100::1 2001:db8::1 2001:10::1 3fff::1 4000::1 ::1.2.3.4 5f00::1 ::ffff:0.0.0.0'],
    [
      'reserved',
      'example.org 1.2.3 1.2.3.256 01.2.3.4 0x7f.1 2130706433 1::2::3 1:2:3:4:5:6:7 12345::1 [::1 1.2.3.4:80',
    ],
  ])('takes for %s: %s', (scope, addresses) => {
    expect(addresses.split(' ').map((address) => [address, classifyAddress(address)])).toEqual(
      addresses.split(' ').map((address) => [address, scope]),
    );
  });

  it.each<[string, string, AddressScope]>([
    ['NAT64', '64:ff9b::7f00:1', 'loopback'],
    ['NAT64', '64:ff9b::5db8:d70e', 'public'],
    ['SIIT', '::ffff:0:10.0.0.1', 'private'],
    ['6to4', '2002:7f00:1::', 'loopback'],
    ['6to4', '2002:5db8:d70e::1', 'public'],
    ['Teredo, by its client', '2001:0:5db8:d70e:0:0:80ff:fffe', 'loopback'],
    ['Teredo, by its server', '2001:0:a00:1:0:0:a247:28f1', 'private'],
    ['Teredo', '2001:0:5db8:d70e:0:0:a247:28f1', 'public'],
  ])('looks at the IPv4 address inside one of %s: %s is %s', (_name, address, scope) => {
    expect(classifyAddress(address)).toBe(scope);
  });

  it('says of every IPv4 address whether it is public just as the registry of special ones does, in each of its forms', () => {
    fc.assert(
      fc.property(ipv4, ([a, b, c, d]) => {
        const address = `${a}.${b}.${c}.${d}`;
        const isPublic = !special.check(address);
        const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
        const forms = [address, `::ffff:${address}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`];
        expect(forms.map((form) => classifyAddress(form) === 'public')).toEqual(forms.map(() => isPublic));
      }),
      { numRuns: 3000 },
    );
  });

  it('calls nothing public in IPv6 that is not given out to be so, and takes any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), fc.string()), (text) => {
        if (classifyAddress(text) === 'public') expect(text).toMatch(/^([23][\da-f]{3}:|64:ff9b::|[\d.]+$|:)/i);
      }),
      { numRuns: 2000 },
    );
  });
});

const byte = fc.nat(255);
/** Most of them near the edge of a special block. */
const ipv4 = fc.tuple(
  fc.oneof(byte, fc.constantFrom(0, 10, 100, 127, 168, 169, 172, 192, 198, 203, 224, 240)),
  fc.oneof(byte, fc.constantFrom(0, 15, 16, 31, 32, 51, 63, 64, 88, 127, 168, 254)),
  fc.oneof(byte, fc.constantFrom(0, 2, 99, 100, 113, 129, 169)),
  byte,
);

const special = new BlockList();
for (const block of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
]) {
  const [address = '', bits] = block.split('/');
  special.addSubnet(address, Number(bits), 'ipv4');
}
