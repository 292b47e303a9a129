import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Grants users rights on a cluster, because no client for Node can. The argument is the cluster. Each line of the
 * standard input is a right: the user, the type of resource, its name (all names that begin so, with a star at the end)
 * and the operation.
 */
class GrantRights {
  public static void main(String[] arguments) throws Exception {
    List<AclBinding> rights = new ArrayList<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) rights.add(rightOf(line.split(" ")));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[0]))) {
      admin.createAcls(rights).all().get();
    }
  }

  private static AclBinding rightOf(String[] words) {
    boolean isPrefix = words[2].endsWith("*");
    String name = isPrefix ? words[2].substring(0, words[2].length() - 1) : words[2];
    PatternType pattern = isPrefix ? PatternType.PREFIXED : PatternType.LITERAL;
    return new AclBinding(
        new ResourcePattern(ResourceType.valueOf(words[1]), name, pattern),
        new AccessControlEntry("User:" + words[0], "*", AclOperation.valueOf(words[3]), AclPermissionType.ALLOW));
  }
}
