import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/* A directory for tests: people, groups, and difficult cases. */

export const LDAP_BASE = 'dc=example,dc=com'
export const LDAP_LOOKUP = { dn: `cn=lookup,${LDAP_BASE}`, password: 'lookup-secret' }
export const ANNA_DN = `uid=anna,ou=people,${LDAP_BASE}`
export const BOB_DN = `uid=bob,ou=people,${LDAP_BASE}`
export const EDITORS_DN = `cn=editors,ou=groups,${LDAP_BASE}`
/** A name with a comma, a plus and a space. */
export const SMITH_DN = `cn=Smith\\, J. \\+ Co,ou=people,${LDAP_BASE}`

const SLAPD_CONFIG = (folder: string) => `
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
suffix "${LDAP_BASE}"
rootdn "cn=admin,${LDAP_BASE}"
rootpw admin-secret
directory ${folder}/db
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${LDAP_LOOKUP.dn}" read by self read by users read by * none
`

const person = (rdn: string, uid: string) => `dn: ${rdn},ou=people,${LDAP_BASE}
objectClass: inetOrgPerson
cn: ${uid}
sn: ${uid}
uid: ${uid}
userPassword: ${uid}-secret
`

const LDAP_ENTRIES = `dn: ${LDAP_BASE}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: cn=admin,${LDAP_BASE}
objectClass: organizationalRole
cn: admin

dn: ${LDAP_LOOKUP.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: lookup
userPassword: ${LDAP_LOOKUP.password}

dn: ou=people,${LDAP_BASE}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${LDAP_BASE}
objectClass: organizationalUnit
ou: groups

${person('uid=anna', 'anna')}
${person('uid=bob', 'bob')}
${person('uid=twin', 'twin')}
${person('cn=The other twin', 'twin').replace('cn: twin', 'cn: The other twin')}
${person('cn=Smith\\, J. \\+ Co', 'smith').replace('cn: smith', 'cn: Smith, J. + Co')}
dn: ${EDITORS_DN}
objectClass: groupOfNames
cn: editors
member: ${BOB_DN}

dn: ou=elsewhere,ou=people,${LDAP_BASE}
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ldap://127.0.0.1:1/ou=elsewhere,${LDAP_BASE}
`

/** Writes the configuration of slapd and its initial entries. */
export async function writeLdapDirectory(folder: string): Promise<void> {
  mkdirSync(join(folder, 'db'))
  await writeFile(join(folder, 'slapd.conf'), SLAPD_CONFIG(folder))
  await writeFile(join(folder, 'entries.ldif'), LDAP_ENTRIES)
}

/** Returns the environment of a store whose users are in this directory, without TLS. */
export const ldapEnvironment = (port: number): Record<string, string> => ({
  MINIO_IDENTITY_LDAP_SERVER_ADDR: `127.0.0.1:${port}`,
  MINIO_IDENTITY_LDAP_LOOKUP_BIND_DN: LDAP_LOOKUP.dn,
  MINIO_IDENTITY_LDAP_LOOKUP_BIND_PASSWORD: LDAP_LOOKUP.password,
  MINIO_IDENTITY_LDAP_USER_DN_SEARCH_BASE_DN: `ou=people,${LDAP_BASE}`,
  MINIO_IDENTITY_LDAP_USER_DN_SEARCH_FILTER: '(uid=%s)',
  MINIO_IDENTITY_LDAP_GROUP_SEARCH_BASE_DN: `ou=groups,${LDAP_BASE}`,
  MINIO_IDENTITY_LDAP_GROUP_SEARCH_FILTER: '(&(objectClass=groupOfNames)(member=%d))',
  MINIO_IDENTITY_LDAP_SERVER_INSECURE: 'on',
})
