import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/* A directory for tests: people, groups, and difficult cases. */

export const BASE = 'dc=example,dc=com'
export const LOOKUP = { dn: `cn=lookup,${BASE}`, password: 'lookup-secret' }
export const ANNA = `uid=anna,ou=people,${BASE}`
export const BOB = `uid=bob,ou=people,${BASE}`
export const EDITORS = `cn=editors,ou=groups,${BASE}`
/** A name with a comma, a plus and a space. */
export const SMITH = `cn=Smith\\, J. \\+ Co,ou=people,${BASE}`

const CONFIG = (folder: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/pid
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
# As directories of the field do: a name without a password binds as nobody, and that succeeds.
allow bind_anon_cred bind_anon_dn
database mdb
suffix "${BASE}"
rootdn "cn=admin,${BASE}"
rootpw admin-secret
directory ${folder}/db
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${LOOKUP.dn}" read by self read by users read by * none
`

const person = (rdn: string, uid: string) => `dn: ${rdn},ou=people,${BASE}
objectClass: inetOrgPerson
cn: ${uid}
sn: ${uid}
uid: ${uid}
userPassword: ${uid}-secret
`

const ENTRIES = `dn: ${BASE}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: cn=admin,${BASE}
objectClass: organizationalRole
cn: admin

dn: ${LOOKUP.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: lookup
userPassword: ${LOOKUP.password}

dn: ou=people,${BASE}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${BASE}
objectClass: organizationalUnit
ou: groups

${person('uid=anna', 'anna')}
${person('uid=bob', 'bob')}
${person('uid=twin', 'twin')}
${person('cn=The other twin', 'twin').replace('cn: twin', 'cn: The other twin')}
${person('cn=Smith\\, J. \\+ Co', 'smith').replace('cn: smith', 'cn: Smith, J. + Co')}
dn: ${EDITORS}
objectClass: groupOfNames
cn: editors
member: ${BOB}

dn: ou=elsewhere,ou=people,${BASE}
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ldap://127.0.0.1:1/ou=elsewhere,${BASE}
`

/** Writes the configuration of slapd and its initial entries. */
export async function writeDirectory(folder: string): Promise<void> {
  mkdirSync(join(folder, 'db'))
  await writeFile(join(folder, 'slapd.conf'), CONFIG(folder))
  await writeFile(join(folder, 'entries.ldif'), ENTRIES)
}

/** Returns the environment of a store whose users are in this directory, without TLS. */
export const ldapEnvironment = (port: number): Record<string, string> => ({
  MINIO_IDENTITY_LDAP_SERVER_ADDR: `127.0.0.1:${port}`,
  MINIO_IDENTITY_LDAP_LOOKUP_BIND_DN: LOOKUP.dn,
  MINIO_IDENTITY_LDAP_LOOKUP_BIND_PASSWORD: LOOKUP.password,
  MINIO_IDENTITY_LDAP_USER_DN_SEARCH_BASE_DN: `ou=people,${BASE}`,
  MINIO_IDENTITY_LDAP_USER_DN_SEARCH_FILTER: '(uid=%s)',
  MINIO_IDENTITY_LDAP_GROUP_SEARCH_BASE_DN: `ou=groups,${BASE}`,
  MINIO_IDENTITY_LDAP_GROUP_SEARCH_FILTER: '(&(objectClass=groupOfNames)(member=%d))',
  MINIO_IDENTITY_LDAP_SERVER_INSECURE: 'on',
})
